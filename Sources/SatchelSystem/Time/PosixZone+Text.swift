extension PosixZone {
  /// Longer than that is no zone, but somebody's attempt.
  static let longestText = 96

  /// nil for what is not complete: a name, an offset, and, where there is daylight saving time, its name and its changes.
  package init?(_ text: String) {
    guard text.utf8.count <= PosixZone.longestText else { return nil }
    var scanner = Scanner(bytes: Array(text.utf8))
    guard scanner.skipName(), let west = scanner.offset() else { return nil }
    var daylight: Daylight?
    if !scanner.isAtEnd {
      daylight = scanner.daylight(standard: -west)
      guard daylight != nil, scanner.isAtEnd else { return nil }
    }
    self.init(standard: -west, daylight: daylight, text: text)
  }

  /// One offset for ever, called what it is: `<+0530>-05:30:00`.
  init(offset: Int) {
    let clock = CivilTime(secondOfDay: abs(offset)).text
    let (plus, minus) = offset < 0 ? ("-", "") : ("+", "-")
    let name = plus + String(decoding: clock.utf8.filter(isDigit).prefix(4), as: UTF8.self)
    self.init(standard: offset, daylight: nil, text: offset == 0 ? "UTC0" : "<\(name)>\(minus)\(clock)")
  }
}

/// Reads the parts of the text in order. What it gives is within its limits, so that nothing computed with it overflows.
private struct Scanner {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skip(while accepts: (UInt8) -> Bool) -> Int {
    let start = position
    while let next, accepts(next) { position += 1 }
    return position - start
  }

  /// Three letters or more, or in `<>` digits and signs too.
  mutating func skipName() -> Bool {
    if skip("<") { return skip(while: isLetterDigitOrSign) >= 3 && skip(">") }
    return skip(while: isLetter) >= 3
  }

  /// Seconds west of UTC, less than a day of them.
  mutating func offset() -> Int? {
    guard let offset = time(hours: 24), abs(offset) < 86_400 else { return nil }
    return offset
  }

  mutating func daylight(standard: Int) -> PosixZone.Daylight? {
    guard skipName() else { return nil }
    var offset = standard + 3600
    if next != UInt8(ascii: ",") {
      guard let west = self.offset() else { return nil }
      offset = -west
    }
    guard abs(offset) < 86_400, let start = change(), let end = change() else { return nil }
    return PosixZone.Daylight(offset: offset, start: start, end: end)
  }

  private mutating func change() -> PosixZone.Change? {
    guard skip(","), let day = day() else { return nil }
    guard skip("/") else { return PosixZone.Change(day: day, time: 2 * 3600) }
    return time(hours: 167).map { PosixZone.Change(day: day, time: $0) }
  }

  private mutating func day() -> PosixZone.Change.Day? {
    if skip("J") { return number(1...365).map { .withoutLeapDay($0) } }
    guard skip("M") else { return number(0...365).map { .ofYear($0) } }
    guard let month = number(1...12), skip("."), let nth = number(1...5), skip("."), let weekday = number(0...6) else {
      return nil
    }
    return .weekday(weekday, nth: nth, month: month)
  }

  /// `[+-]h[:mm[:ss]]` in seconds.
  private mutating func time(hours most: Int) -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard var result = number(0...most).map({ $0 * 3600 }) else { return nil }
    for unit in [60, 1] where skip(":") {
      guard let part = number(0...59) else { return nil }
      result += part * unit
    }
    return isNegative ? -result : result
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let start = position
    guard 1...3 ~= skip(while: isDigit) else { return nil }
    let number = bytes[start..<position].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(number) ? number : nil
  }
}

private func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

private func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

private func isLetterDigitOrSign(_ byte: UInt8) -> Bool {
  isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
}
