import SatchelSystem

extension ByteScanner {
  /// `2026-12-01T00:53:10.123456+00:00`: nanoseconds since 1970, and seconds east of UTC.
  mutating func lineTime() -> (time: Int64, offset: Int)? {
    guard let second = second(), skip(UInt8(ascii: ".")), let micros = digits(6), let offset = offset() else {
      return nil
    }
    return nanoseconds(second - Int64(offset), micros * 1000).map { ($0, offset) }
  }

  /// `2026-12-01T00:53:10.123456789Z`
  mutating func valueTime() -> Int64? {
    guard let second = second(), skip(UInt8(ascii: ".")), let nanos = digits(9), skip(UInt8(ascii: "Z")) else {
      return nil
    }
    return nanoseconds(second, nanos)
  }

  /// `2026-12-01T00:53:10`, in seconds since 1970 as if it were UTC.
  private mutating func second() -> Int64? {
    guard let year = digits(4), skip(UInt8(ascii: "-")), let month = digits(2), skip(UInt8(ascii: "-")),
      let day = digits(2), let date = CivilDate(existing: year, month, day), skip(UInt8(ascii: "T")),
      let hour = digits(2), hour < 24, skip(UInt8(ascii: ":")), let minute = digits(2), minute < 60,
      skip(UInt8(ascii: ":")), let second = digits(2), second < 60
    else { return nil }
    return Int64(date.daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second)
  }

  private mutating func offset() -> Int? {
    let isWest = peek == UInt8(ascii: "-")
    guard isWest || peek == UInt8(ascii: "+"), next() != nil, let hours = digits(2), skip(UInt8(ascii: ":")),
      let minutes = digits(2), minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (isWest ? -60 : 60)
  }

  private func nanoseconds(_ second: Int64, _ fraction: Int) -> Int64? {
    let (whole, isTooLarge) = second.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = whole.addingReportingOverflow(Int64(fraction))
    return isTooLarge || overflows ? nil : sum
  }
}
