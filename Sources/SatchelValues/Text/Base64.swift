import SatchelSystem

/// Base64 (RFC 4648 section 4): with padding, without line breaks, one text for each data.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  static func encode(_ bytes: [UInt8]) throws(SatchelError) -> String {
    // The bytes of the text, and the text.
    try Memory.claim((bytes.count / 3 + 1) * 8)
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count / 3 + 1) * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= 8 * UInt32(3 - group.count)
      for place in 0..<4 {
        output.append(place <= group.count ? alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)] : padding)
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Nil for anything that `encode` would not write.
  static func decode(_ text: String) throws(SatchelError) -> [UInt8]? {
    try Memory.claim(text.utf8.count * 2)
    let characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    let padded = characters.suffix(2).filter { $0 == padding }.count
    let digits = characters.dropLast(padded)
    guard !(padded == 2 && characters[characters.count - 1] != padding) else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(characters.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    for character in digits {
      guard let digit = digit(character) else { return nil }
      bits = bits << 6 | digit
      count += 6
      if count >= 8 {
        count -= 8
        output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    return bits == 0 ? output : nil
  }

  private static func digit(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
