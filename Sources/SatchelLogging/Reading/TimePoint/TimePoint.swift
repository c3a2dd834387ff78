import SatchelSystem

/// An instant as people write it: how long ago (`10m`), a day (`today`, `yesterday`, `2026-12-01`), a time of today (`10:30`), or
/// both (`2026-12-01T10:30:00`, with `Z` or `+01:00` behind it where it is not by the clocks here).
package enum TimePoint {
  /// For messages.
  package static let explanation = "10m (ago), now, today, yesterday, 10:30, 2026-12-01 or 2026-12-01T10:30:00+01:00"

  /// In nanoseconds since 1970. A day stands for its beginning.
  package static func parse(_ text: String, now: Int64, zone: ZoneRules) -> Int64? {
    if let ago = TimeSpan.parse(text) { return now - min(ago, now) }
    let today = zone.day(at: now.floored(by: 1_000_000_000).quotient).date
    switch text {
    case "now": return now
    case "today": return instant(today, 0, zone)
    case "yesterday": return instant(CivilDate(daysSince1970: today.daysSince1970 - 1), 0, zone)
    default: return Array(text.utf8).withUnsafeBytes { parse($0, today: today, zone) }
    }
  }

  private static func parse(_ text: UnsafeRawBufferPointer, today: CivilDate, _ zone: ZoneRules) -> Int64? {
    var scanner = ByteScanner(text)
    var date = today
    if text.count >= 10, text[4] == UInt8(ascii: "-") {
      guard let named = self.date(&scanner) else { return nil }
      date = named
      if scanner.isAtEnd { return instant(date, 0, zone) }
      guard scanner.skip(UInt8(ascii: "T")) || scanner.skip(UInt8(ascii: " ")) else { return nil }
    }
    guard let time = timeOfDay(&scanner) else { return nil }
    if scanner.isAtEnd { return instant(date, time, zone) }
    guard let offset = offset(&scanner), scanner.isAtEnd else { return nil }
    return Int64(date.daysSince1970 * 86_400 - offset) * 1_000_000_000 + time
  }

  private static func date(_ scanner: inout ByteScanner) -> CivilDate? {
    guard let year = scanner.digits(4), scanner.skip(UInt8(ascii: "-")), let month = scanner.digits(2),
      scanner.skip(UInt8(ascii: "-")), let day = scanner.digits(2), (1678...2261).contains(year)
    else { return nil }
    return CivilDate(existing: year, month, day)
  }

  /// `10:30`, `10:30:15`, `10:30:15.25`, in nanoseconds.
  private static func timeOfDay(_ scanner: inout ByteScanner) -> Int64? {
    guard let hour = scanner.digits(2), hour < 24, scanner.skip(UInt8(ascii: ":")), let minute = scanner.digits(2),
      minute < 60
    else { return nil }
    var second = 0
    if scanner.skip(UInt8(ascii: ":")) {
      guard let written = scanner.digits(2), written < 60 else { return nil }
      second = written
    }
    var fraction: Int64 = 0
    if scanner.skip(UInt8(ascii: ".")) {
      var unit: Int64 = 100_000_000
      let start = scanner.position
      while let byte = scanner.peek, byte.isDigit, scanner.next() != nil {
        fraction += Int64(byte - UInt8(ascii: "0")) * unit
        unit /= 10
      }
      if scanner.position == start { return nil }
    }
    return Int64(hour * 3600 + minute * 60 + second) * 1_000_000_000 + fraction
  }

  private static func offset(_ scanner: inout ByteScanner) -> Int? {
    if scanner.skip(UInt8(ascii: "Z")) { return 0 }
    let isWest = scanner.peek == UInt8(ascii: "-")
    guard isWest || scanner.peek == UInt8(ascii: "+"), scanner.next() != nil, let hours = scanner.digits(2),
      scanner.skip(UInt8(ascii: ":")), let minutes = scanner.digits(2)
    else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }

  /// Where the clocks show that time. What they skip lies behind the change, what they show twice is the first.
  private static func instant(_ date: CivilDate, _ timeOfDay: Int64, _ zone: ZoneRules) -> Int64 {
    let shown = Int64(date.daysSince1970 * 86_400) + timeOfDay / 1_000_000_000
    let before = zone.offset(at: shown - 86_400)
    let after = zone.offset(at: shown + 86_400)
    let offset = [before, after].first { zone.offset(at: shown - Int64($0)) == $0 } ?? before
    return (shown - Int64(offset)) * 1_000_000_000 + timeOfDay % 1_000_000_000
  }
}
