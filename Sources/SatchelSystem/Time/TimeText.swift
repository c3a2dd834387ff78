/// Dates and times as RFC 3339 writes them, each of a fixed width, written into memory that has room for it. Nothing here
/// allocates.
package enum TimeText {
  /// `2026-01-31`
  package static let dateLength = 10
  /// `23:59:59`
  package static let timeLength = 8
  /// `2026-01-31T23:59:59`
  package static let secondLength = 19
  /// `2026-01-31T23:59:59.123456+01:00`
  package static let length = 32

  /// An instant as the clocks show it `offset` seconds east of UTC, down to the microsecond.
  ///
  /// RFC 3339 has whole minutes between them and UTC. Of the offsets before there were time zones, the seconds are left out of the
  /// time and of the offset alike: what is written is always the same instant.
  package static func write(_ nanoseconds: Int64, offset: Int, to p: UnsafeMutableRawPointer) {
    let minutes = offset / 60
    let (second, fraction) = nanoseconds.floored(by: 1_000_000_000)
    write(second: second + Int64(minutes * 60), to: p)
    p.storeBytes(of: UInt8(ascii: "."), toByteOffset: 19, as: UInt8.self)
    let microseconds = Int(fraction) / 1000
    pair(microseconds / 10_000, p + 20)
    pair(microseconds / 100 % 100, p + 22)
    pair(microseconds % 100, p + 24)
    p.storeBytes(of: UInt8(ascii: minutes < 0 ? "-" : "+"), toByteOffset: 26, as: UInt8.self)
    pair(abs(minutes) / 60, p + 27)
    p.storeBytes(of: UInt8(ascii: ":"), toByteOffset: 29, as: UInt8.self)
    pair(abs(minutes) % 60, p + 30)
  }

  /// A second that a clock shows, counted as if that were UTC; within `CivilDate.secondsInText`.
  package static func write(second: Int64, to p: UnsafeMutableRawPointer) {
    let (day, rest) = second.floored(by: CivilTime.secondsInDay)
    write(CivilDate(daysSince1970: Int(day)), to: p)
    p.storeBytes(of: UInt8(ascii: "T"), toByteOffset: 10, as: UInt8.self)
    write(CivilTime(secondOfDay: Int(rest)), to: p + 11)
  }

  package static func write(_ date: CivilDate, to p: UnsafeMutableRawPointer) {
    pair(date.year / 100, p)
    pair(date.year % 100, p + 2)
    p.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 4, as: UInt8.self)
    pair(date.month, p + 5)
    p.storeBytes(of: UInt8(ascii: "-"), toByteOffset: 7, as: UInt8.self)
    pair(date.day, p + 8)
  }

  package static func write(_ time: CivilTime, to p: UnsafeMutableRawPointer) {
    pair(time.hour, p)
    p.storeBytes(of: UInt8(ascii: ":"), toByteOffset: 2, as: UInt8.self)
    pair(time.minute, p + 3)
    p.storeBytes(of: UInt8(ascii: ":"), toByteOffset: 5, as: UInt8.self)
    pair(time.second, p + 6)
  }

  /// Two digits of 0 … 99.
  @inline(__always)
  private static func pair(_ number: Int, _ p: UnsafeMutableRawPointer) {
    let digits = 0x3030 + UInt16(truncatingIfNeeded: (number / 10) | (number % 10) << 8)
    p.storeBytes(of: digits.littleEndian, as: UInt16.self)
  }
}

// The same as strings, where nobody counts nanoseconds.

extension TimeText {
  /// `2026-01-31T23:59:59`
  package static func text(second: Int64) -> String { string(secondLength) { write(second: second, to: $0) } }

  fileprivate static func string(_ length: Int, _ write: (UnsafeMutableRawPointer) -> Void) -> String {
    String(unsafeUninitializedCapacity: length) { buffer in
      if let start = buffer.baseAddress { write(UnsafeMutableRawPointer(start)) }
      return length
    }
  }
}

extension CivilDate {
  /// `2026-01-31`
  package var text: String { TimeText.string(TimeText.dateLength) { TimeText.write(self, to: $0) } }
}

extension CivilTime {
  /// `23:59:59`
  package var text: String { TimeText.string(TimeText.timeLength) { TimeText.write(self, to: $0) } }
}
