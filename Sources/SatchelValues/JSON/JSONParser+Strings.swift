import SatchelSystem

extension JSONParser {
  /// Reads a string; the position is at its opening quote.
  mutating func string() throws(SatchelError) -> String {
    let start = position
    position += 1
    var output: [UInt8] = []
    while true {
      let run = position
      while let byte = peek, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
      try output.claimRoom(for: position - run)
      output.append(contentsOf: source.bytes[run..<position])
      switch peek {
      case UInt8(ascii: "\"")?:
        position += 1
        try Memory.claim(output.count + 64)
        return String(decoding: output, as: UTF8.self)
      case UInt8(ascii: "\\")?:
        try output.claimRoom(for: 4)
        try escape(into: &output)
      case nil: throw source.error("a string without its closing quote", at: start)
      default: throw source.error("a control character in a string; write it as \\u00…", at: position)
      }
    }
  }

  private mutating func escape(into output: inout [UInt8]) throws(SatchelError) {
    let start = position
    position += 1
    guard let character = peek else { throw source.error("a string without its closing quote", at: start) }
    position += 1
    switch character {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(character)
    case UInt8(ascii: "b"): output.append(0x08)
    case UInt8(ascii: "f"): output.append(0x0c)
    case UInt8(ascii: "n"): output.append(0x0a)
    case UInt8(ascii: "r"): output.append(0x0d)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "u"): output.append(contentsOf: String(try scalar(from: start)).utf8)
    default: throw source.error("an unknown escape", at: start)
    }
  }

  /// The character of `\u` and four hexadecimal digits, or of two of them that are a surrogate pair; the position is behind the `u`.
  private mutating func scalar(from start: Int) throws(SatchelError) -> Character {
    let high = try codeUnit(from: start)
    if let scalar = Unicode.Scalar(high) { return Character(scalar) }
    guard high < 0xdc00, skip(UInt8(ascii: "\\")), skip(UInt8(ascii: "u")) else {
      throw source.error("half a surrogate pair", at: start)
    }
    let low = try codeUnit(from: start)
    let pair = 0x10000 + (high - 0xd800) << 10 + (low & 0x3ff)
    guard (0xdc00...0xdfff).contains(low), let scalar = Unicode.Scalar(pair) else {
      throw source.error("half a surrogate pair", at: start)
    }
    return Character(scalar)
  }

  private mutating func codeUnit(from start: Int) throws(SatchelError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = peek?.hexDigit else { throw source.error("\\u needs four hexadecimal digits", at: start) }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}
