extension ByteScanner {
  /// A string of JSON. nil where it is none, or where an escape is not one of JSON's.
  mutating func jsonString() -> [UInt8]? {
    guard skip(UInt8(ascii: "\"")) else { return nil }
    var text: [UInt8] = []
    while true {
      text.append(contentsOf: take { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") })
      if skip(UInt8(ascii: "\"")) { return text }
      guard skip(UInt8(ascii: "\\")), let escaped = jsonEscape() else { return nil }
      text.append(contentsOf: escaped)
    }
  }

  /// Behind its backslash.
  private mutating func jsonEscape() -> [UInt8]? {
    guard let letter = next() else { return nil }
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "u"): return jsonScalar()
    default: return nil
    }
  }

  private mutating func jsonScalar() -> [UInt8]? {
    guard let high = codeUnit() else { return nil }
    if let scalar = Unicode.Scalar(high) { return Array(String(scalar).utf8) }
    guard high < 0xdc00, skip("\\u"), let low = codeUnit(), (0xdc00...0xdfff).contains(low) else { return nil }
    return Unicode.Scalar(0x10000 + (high & 0x3ff) << 10 + low & 0x3ff).map { Array(String($0).utf8) }
  }

  private mutating func codeUnit() -> UInt32? { take(4).flatMap(UInt32.init(hex:)) }

  /// A string, a number, true, false or null.
  mutating func jsonScalarValue() -> LogEntry.Value? {
    switch peek {
    case UInt8(ascii: "\"")?: return jsonString().map(LogEntry.Value.text)
    case UInt8(ascii: "t")?: return skip("true") ? .bool(true) : nil
    case UInt8(ascii: "f")?: return skip("false") ? .bool(false) : nil
    case UInt8(ascii: "n")?: return skip("null") ? .null : nil
    default:
      let word = take { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") }
      guard let first = word.first, first.isDigit || first == UInt8(ascii: "-") else { return nil }
      return LogEntry.Value(number: word)
    }
  }

  /// The members of an object without white space. False at the first that is none, or that `member` refuses.
  mutating func jsonObject(_ member: ([UInt8], inout ByteScanner) -> Bool) -> Bool {
    guard skip(UInt8(ascii: "{")) else { return false }
    if skip(UInt8(ascii: "}")) { return true }
    repeat {
      guard let name = jsonString(), skip(UInt8(ascii: ":")), member(name, &self) else { return false }
    } while skip(UInt8(ascii: ","))
    return skip(UInt8(ascii: "}"))
  }
}
