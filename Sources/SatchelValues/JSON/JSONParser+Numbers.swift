import SatchelSystem

extension JSONParser {
  /// Without point and exponent an integer of up to 64 bits, never rounded; otherwise a double, correctly rounded.
  mutating func number() throws(SatchelError) -> Value {
    let start = position
    _ = skip(UInt8(ascii: "-"))
    try integerPart()
    let end = position
    if skip(UInt8(ascii: ".")) { try digits() }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
      try digits()
    }
    try Memory.claim((position - start) * 2)
    let text = String(decoding: source.bytes[start..<position], as: UTF8.self)
    guard let value = position == end ? integer(text) : double(text) else {
      throw source.error("the number \(text.quoted) is too large", at: start, .range)
    }
    return value
  }

  private mutating func integerPart() throws(SatchelError) {
    guard !skip(UInt8(ascii: "0")) else {
      guard peek?.isASCIIDigit != true else { throw source.error("a number with a leading zero", at: position - 1) }
      return
    }
    try digits()
  }

  private mutating func digits() throws(SatchelError) {
    guard peek?.isASCIIDigit == true else { throw source.error("expected a digit", at: position) }
    while peek?.isASCIIDigit == true { position += 1 }
  }

  private func integer(_ text: String) -> Value? {
    if let number = Int64(text) { return .int(number) }
    return UInt64(text).map { Value($0) }
  }

  private func double(_ text: String) -> Value? {
    guard let number = Double(text), number.isFinite else { return nil }
    return .double(number)
  }
}
