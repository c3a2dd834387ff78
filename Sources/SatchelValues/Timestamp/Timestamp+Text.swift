import SatchelSystem

extension Timestamp {
  /// RFC 3339 in UTC with as many digits of the fraction as there are: `2026-01-01T00:00:00.5Z`.
  /// Throws `.range` outside the years 0001 … 9999, which this text cannot hold.
  public func rfc3339() throws(SatchelError) -> String {
    guard CivilDate.secondsInText.contains(seconds) else {
      throw SatchelError(.range, "a date \(seconds) seconds from 1970 lies outside the years 0001 to 9999")
    }
    return TimeText.text(second: seconds) + fraction + "Z"
  }

  /// Reads RFC 3339 with any offset. `T` and `Z` may be lower case, and a space may stand for `T`.
  ///
  /// Throws `.type` for other text, and `.range` for what this type cannot hold: a leap second, a fraction finer than a
  /// nanosecond, a year outside 0001 … 9999.
  public init(rfc3339 text: String) throws(SatchelError) {
    var scanner = DateScanner(text: text)
    self = try scanner.timestamp()
  }

  private var fraction: String {
    guard nanoseconds > 0 else { return "" }
    // Behind a 1, so that the zeros before it count.
    var digits = String(1_000_000_000 + nanoseconds).dropFirst()
    while digits.hasSuffix("0") { digits.removeLast() }
    return "." + digits
  }
}

/// Reads the parts of a date in order.
private struct DateScanner {
  let text: String
  let bytes: [UInt8]
  var position = 0

  init(text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  mutating func timestamp() throws(SatchelError) -> Timestamp {
    let date = try date()
    try expect("Tt ")
    let timeOfDay = try timeOfDay()
    let nanoseconds = try fraction()
    let offset = try offset()
    guard position == bytes.count else { throw malformed }
    let seconds = Int64(date.daysSince1970) * CivilTime.secondsInDay + Int64(timeOfDay - offset)
    guard CivilDate.secondsInText.contains(seconds) else { throw unholdable("lies outside the years 0001 to 9999") }
    return Timestamp(seconds: seconds, checked: nanoseconds)
  }

  private mutating func date() throws(SatchelError) -> CivilDate {
    let year = try number(digits: 4)
    try expect("-")
    let month = try number(digits: 2, in: 1...12)
    try expect("-")
    let day = try number(digits: 2, in: 1...CivilDate.days(in: month, of: year))
    guard year > 0 else { throw unholdable("lies outside the years 0001 to 9999") }
    return CivilDate(year: year, month: month, day: day)
  }

  private mutating func timeOfDay() throws(SatchelError) -> Int {
    let hour = try number(digits: 2, in: 0...23)
    try expect(":")
    let minute = try number(digits: 2, in: 0...59)
    try expect(":")
    let second = try number(digits: 2, in: 0...60)
    guard second < 60 else { throw unholdable("is a leap second") }
    return hour * 3600 + minute * 60 + second
  }

  /// Nanoseconds after the second; 0 without a point.
  private mutating func fraction() throws(SatchelError) -> UInt32 {
    guard position < bytes.count, bytes[position] == UInt8(ascii: ".") else { return 0 }
    position += 1
    let start = position
    var result: UInt32 = 0
    while position < bytes.count, bytes[position].isASCIIDigit {
      let digit = UInt32(bytes[position] - UInt8(ascii: "0"))
      if position - start < 9 {
        result = result * 10 + digit
      } else if digit != 0 {
        throw unholdable("is finer than a nanosecond")
      }
      position += 1
    }
    guard position > start else { throw malformed }
    for _ in min(position - start, 9)..<9 { result *= 10 }
    return result
  }

  /// Seconds east of UTC.
  private mutating func offset() throws(SatchelError) -> Int {
    guard position < bytes.count else { throw malformed }
    let sign = bytes[position]
    position += 1
    if sign | 0x20 == UInt8(ascii: "z") { return 0 }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { throw malformed }
    let hours = try number(digits: 2, in: 0...23)
    try expect(":")
    let minutes = try number(digits: 2, in: 0...59)
    let seconds = hours * 3600 + minutes * 60
    return sign == UInt8(ascii: "-") ? -seconds : seconds
  }

  private mutating func number(digits: Int, in range: ClosedRange<Int> = 0...9999) throws(SatchelError) -> Int {
    guard bytes.count - position >= digits else { throw malformed }
    var result = 0
    for _ in 0..<digits {
      guard bytes[position].isASCIIDigit else { throw malformed }
      result = result * 10 + Int(bytes[position] - UInt8(ascii: "0"))
      position += 1
    }
    guard range.contains(result) else { throw malformed }
    return result
  }

  private mutating func expect(_ choices: String) throws(SatchelError) {
    guard position < bytes.count, choices.utf8.contains(bytes[position]) else { throw malformed }
    position += 1
  }

  private var malformed: SatchelError {
    SatchelError(.type, "\(text.quoted) is not a date such as 2026-01-31T23:59:59Z")
  }

  private func unholdable(_ reason: String) -> SatchelError {
    SatchelError(.range, "the date \(text.quoted) \(reason)")
  }
}
