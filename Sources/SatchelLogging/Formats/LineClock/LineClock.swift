import SatchelSystem

/// The time of a line as text. Lines of the same second differ in six digits only.
struct LineClock {
  private var second: Int64 = .min
  private var offset = 0
  private var text: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// `2026-12-01T00:53:10.123456+00:00`, as clocks show it `offset` seconds east of UTC.
  @inline(__always)
  mutating func write(_ time: Int64, offset: Int, _ out: inout LineWriter) {
    var fraction = UInt64(bitPattern: time &- second)
    if fraction >= 1_000_000_000 || offset != self.offset { fraction = begin(time, offset) }
    out.at.storeBytes(of: text, as: (UInt64, UInt64, UInt64, UInt64).self)
    LineWriter.six(fraction / 1000, out.at + 20)
    out.at += TimeText.length
  }

  @inline(never)
  private mutating func begin(_ time: Int64, _ offset: Int) -> UInt64 {
    let fraction = time.floored(by: 1_000_000_000).remainder
    second = time &- fraction
    self.offset = offset
    withUnsafeMutableBytes(of: &text) {
      if let start = $0.baseAddress { TimeText.write(time, offset: offset, to: start) }
    }
    return UInt64(fraction)
  }
}
