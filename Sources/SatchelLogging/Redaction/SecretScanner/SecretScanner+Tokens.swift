extension SecretScanner {
  /// Three parts of base64url or five, the first of which is an object; or three as chats give out.
  static func isSigned(_ token: UnsafeRawBufferPointer) -> Bool {
    guard token[0] == UInt8(ascii: "e"), token[1] == UInt8(ascii: "y"), token[2] == UInt8(ascii: "J") else {
      return false
    }
    let dots = token.count { $0 == UInt8(ascii: ".") }
    return token.count >= 30 && (dots == 2 || dots == 4)
  }

  /// Tokens of bots: `123456789:AA…`, and three parts of known lengths.
  func messenger(_ range: Range<Int>) -> SecretKind? {
    let start = range.lowerBound
    if range.count == 35, has("AA", at: start), start >= 9, text[start - 1] == UInt8(ascii: ":") {
      return text[(start - 9)..<(start - 1)].allSatisfy(\.isDigit) ? .apiKey : nil
    }
    guard (58...80).contains(range.count), let first = text[range].firstIndex(of: UInt8(ascii: ".")),
      let second = text[range].lastIndex(of: UInt8(ascii: ".")), second - first == 7, (23...28).contains(first - start)
    else { return nil }
    let hasCases =
      text[range].contains { $0.isLetter && $0 & 0x20 == 0 } && text[range].contains { $0.isLetter && $0 & 0x20 != 0 }
    return hasCases && text[range].contains(where: \.isDigit) ? .apiKey : nil
  }

  /// `Bearer …` and `Basic …` without a header's name, as far as what follows is what these are followed by.
  func authorization(_ word: Range<Int>) -> Finding? {
    guard word.upperBound < text.count, text[word.upperBound] == UInt8(ascii: " ") else { return nil }
    let start = word.upperBound + 1
    let token = start..<end(from: start, while: SecretScanner.isBase64)
    if isWord("bearer", word) {
      guard token.count >= 16, text[token].contains(where: \.isDigit) else { return nil }
      return Finding(kind: kind(of: token) ?? .token, range: token)
    }
    guard isWord("basic", word), isUserAndPassword(token) else { return nil }
    return Finding(kind: .basic, range: token)
  }

  private func isWord(_ word: StaticString, _ range: Range<Int>) -> Bool {
    range.count == word.utf8CodeUnitCount
      && range.indices.allSatisfy { text[$0] | 0x20 == word.utf8Start[$0 - range.lowerBound] }
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isLetter || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "~")
  }

  /// Base64 of printable text with a colon in it.
  private func isUserAndPassword(_ token: Range<Int>) -> Bool {
    guard token.count >= 8, token.count.isMultiple(of: 4) else { return false }
    var bits: UInt32 = 0
    var hasColon = false
    for (place, byte) in text[token].enumerated() {
      if byte == UInt8(ascii: "=") { break }
      guard let digit = SecretScanner.digit64(byte) else { return false }
      bits = bits << 6 | digit
      guard place % 4 > 0 else { continue }
      let decoded = UInt8(truncatingIfNeeded: bits >> UInt32(6 - place % 4 * 2))
      guard (0x20..<0x7f).contains(decoded) else { return false }
      hasColon = hasColon || decoded == UInt8(ascii: ":")
    }
    return hasColon
  }

  private static func digit64(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }

  /// `-----BEGIN … PRIVATE KEY…` to its end, or to that of the text.
  func privateKey(at start: Int) -> Finding? {
    guard has("-----BEGIN ", at: start) else { return nil }
    let label = start + 11..<end(from: start + 11) { $0 != UInt8(ascii: "-") && $0 != 0x0a }
    guard let key = find("PRIVATE KEY", from: label.lowerBound), key < label.upperBound else { return nil }
    guard let footer = find("-----END ", from: label.upperBound) else {
      return Finding(kind: .privateKey, range: start..<text.count)
    }
    let name = end(from: footer + 9) { $0 != UInt8(ascii: "-") && $0 != 0x0a }
    return Finding(kind: .privateKey, range: start..<end(from: name) { $0 == UInt8(ascii: "-") })
  }

  func find(_ word: StaticString, from start: Int) -> Int? {
    let last = text.count - word.utf8CodeUnitCount
    guard start <= last else { return nil }
    return (start...last).first { has(word, at: $0) }
  }
}
