extension SecretScanner {
  /// `password=…`, `"api_key": "…"`, `Authorization: Bearer …`
  func named(_ mark: Int) -> Finding? {
    guard let name = name(before: mark), let rule = SecretNames.find(name) else { return nil }
    var start = mark + 1
    let isSpaced = start < text.count && text[start] == UInt8(ascii: " ")
    start = end(from: start) { $0 == UInt8(ascii: " ") }
    let quoted = end(from: start) { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: "\\") }
    if rule.kind == .cookie { return finding(.cookie, quoted..<end(from: quoted) { !SecretScanner.endsLine($0) }) }
    let value = value(quoted, isQuoted: quoted > start)
    if let scheme = scheme(value) { return scheme }
    guard !value.isEmpty, !isHarmless(value), !isFolder(value, mark) else { return nil }
    let isProse = isSpaced && quoted == start
    guard !isProse || rule.isStrong || looksMade(value) else { return nil }
    return finding(kind(of: value) ?? rule.kind, value)
  }

  /// A name stands before the mark that makes a secret of whatever follows.
  func isNamed(_ mark: Int) -> Bool { name(before: mark).flatMap(SecretNames.find) != nil }

  private func finding(_ kind: SecretKind, _ range: Range<Int>) -> Finding? {
    range.isEmpty ? nil : Finding(kind: kind, range: range)
  }

  /// Spaces and quotes may stand between a name and its mark.
  private func name(before mark: Int) -> UnsafeRawBufferPointer? {
    var end = mark
    while end > 0, text[end - 1] == UInt8(ascii: " ") { end -= 1 }
    while end > 0, SecretScanner.isQuote(text[end - 1]) { end -= 1 }
    guard end > 0, SecretNames.isEnd(text[end - 1]) else { return nil }
    var start = end
    while start > 0, ByteClasses.isWord(text[start - 1]) { start -= 1 }
    return start < end ? UnsafeRawBufferPointer(rebasing: text[start..<end]) : nil
  }

  private func value(_ start: Int, isQuoted: Bool) -> Range<Int> {
    start..<end(from: start) { byte in
      isQuoted ? !SecretScanner.isQuote(byte) && byte != 0x0a : !SecretScanner.endsValue(byte)
    }
  }

  /// The word behind `Bearer`, `Basic` and their like.
  private func scheme(_ value: Range<Int>) -> Finding? {
    let schemes: (StaticString, StaticString, StaticString) = ("bearer", "basic", "token")
    let word = UnsafeRawBufferPointer(rebasing: text[value])
    let isBasic = word.isWord(schemes.1)
    guard isBasic || word.isWord(schemes.0) || word.isWord(schemes.2) else { return nil }
    let start = end(from: value.upperBound) { $0 == UInt8(ascii: " ") }
    let token = start..<end(from: start) { !SecretScanner.endsValue($0) }
    guard !token.isEmpty, !isHarmless(token) else { return nil }
    return finding(isBasic ? .basic : kind(of: token) ?? .token, token)
  }

  /// What stands for no value, and what is said of one.
  private func isHarmless(_ value: Range<Int>) -> Bool {
    if isPlaceholder(value) { return true }
    let word = UnsafeRawBufferPointer(rebasing: text[value])
    return word.allSatisfy { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
      || word.count <= 10 && SecretScanner.harmless.contains { word.isWord($0) }
  }

  /// `<password>`, `<redacted …>`, `<secret …>`, `${password}`, `$PASSWORD`, `%s`
  private func isPlaceholder(_ value: Range<Int>) -> Bool {
    let rest = text[value].dropFirst()
    switch text[value.lowerBound] {
    case UInt8(ascii: "<"):
      return has("<redacted", at: value.lowerBound) || has("<secret", at: value.lowerBound)
        || has(">", at: value.upperBound)
    case UInt8(ascii: "$"):
      return rest.first == UInt8(ascii: "{")
        || rest.allSatisfy { $0 == UInt8(ascii: "_") || $0.isLetter && $0 & 0x20 == 0 }
    case UInt8(ascii: "%"): return value.count <= 3
    default: return false
    }
  }

  /// What a shell calls PWD and OLDPWD.
  private func isFolder(_ value: Range<Int>, _ mark: Int) -> Bool {
    text[value.lowerBound] == UInt8(ascii: "/") && has("PWD=", at: mark - 3)
  }

  private static let harmless: [StaticString] = [
    "nil", "null", "none", "true", "false", "undefined", "empty", "missing", "required", "invalid", "expired", "is",
    "was",
    "not", "no", "yes", "must", "the", "a", "unset", "set", "wrong", "incorrect", "changed", "rejected", "accepted",
    "failed",
    "ok", "unknown", "string", "redacted", "hidden", "optional", "and", "or", "for", "does", "has", "can", "could",
    "cannot",
  ]

  /// Long, and with a digit: not a word of a language.
  private func looksMade(_ value: Range<Int>) -> Bool { value.count >= 8 && text[value].contains(where: \.isDigit) }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\")
  }

  private static func endsLine(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d || isQuote(byte) }

  private static func endsValue(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: ")"), UInt8(ascii: "]"),
      UInt8(ascii: "}"), UInt8(ascii: ">"):
      true
    default: isQuote(byte)
    }
  }
}

extension UnsafeRawBufferPointer {
  /// In any case; `word` is in lower case.
  fileprivate func isWord(_ word: StaticString) -> Bool {
    count == word.utf8CodeUnitCount && indices.allSatisfy { self[$0] | 0x20 == word.utf8Start[$0] }
  }
}
