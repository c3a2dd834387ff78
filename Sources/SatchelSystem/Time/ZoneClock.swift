/// The clock of a place, as one reader of many instants close to each other uses it: what holds for a second, a day and an offset
/// is found out once. Nothing here locks or allocates.
package struct ZoneClock {
  package let rules: ZoneRules
  private var span: ZoneRules.Span
  private var day: ZoneRules.Day
  /// The second that `text` shows.
  private var second: Int64
  private var text: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  package init(_ rules: ZoneRules) {
    self.rules = rules
    span = rules.span(at: 0)
    day = rules.day(at: 0)
    second = 0
    turn(to: 0)
  }

  /// The date that the clock shows at a second since 1970, and for how long.
  package mutating func day(at second: Int64) -> ZoneRules.Day {
    if !day.contains(second) { day = rules.day(at: second) }
    return day
  }

  /// `TimeText.length` bytes, as `TimeText.write` writes them.
  package mutating func write(_ nanoseconds: Int64, to p: UnsafeMutableRawPointer) {
    let (second, fraction) = nanoseconds.floored(by: 1_000_000_000)
    if second != self.second { turn(to: second) }
    p.storeBytes(of: text, as: (UInt64, UInt64, UInt64, UInt64).self)
    TimeText.writeFraction(fraction, to: p)
  }

  @inline(never)
  private mutating func turn(to second: Int64) {
    if !span.contains(second) { span = rules.span(at: second) }
    self.second = second
    withUnsafeMutableBytes(of: &text) { bytes in
      if let start = bytes.baseAddress { TimeText.writeFrame(second, offset: span.offset, to: start) }
    }
  }
}
