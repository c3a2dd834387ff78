/// Reads the escapes of text back.
enum Unescape {
  /// What makes an escape of a backslash before it.
  static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "x"), UInt8(ascii: "u"): true
    case UInt8(ascii: "\\"), UInt8(ascii: "\""): true
    default: false
    }
  }

  /// The bytes that were escaped. What is no escape stands for itself.
  static func bytes(_ text: some Collection<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var rest = text[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), let next = rest.first, isLetter(next), let read = escape(next, &rest) {
        output.append(contentsOf: read)
      } else {
        output.append(byte)
      }
    }
    return output
  }

  /// Behind a backslash. nil, and nothing taken, where there is only the beginning of an escape.
  private static func escape<Text: Collection<UInt8>>(_ letter: UInt8, _ rest: inout Text) -> [UInt8]?
  where Text.SubSequence == Text {
    var behind = rest.dropFirst()
    let read: [UInt8]? =
      switch letter {
      case UInt8(ascii: "n"): [0x0a]
      case UInt8(ascii: "r"): [0x0d]
      case UInt8(ascii: "t"): [0x09]
      case UInt8(ascii: "x"): byte(&behind)
      case UInt8(ascii: "u"): scalar(&behind)
      default: [letter]
      }
    if read != nil { rest = behind }
    return read
  }

  private static func byte<Text: Collection<UInt8>>(_ rest: inout Text) -> [UInt8]? where Text.SubSequence == Text {
    guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else { return nil }
    return [high << 4 | low]
  }

  private static func scalar<Text: Collection<UInt8>>(_ rest: inout Text) -> [UInt8]? where Text.SubSequence == Text {
    guard rest.popFirst() == UInt8(ascii: "{") else { return nil }
    var value: UInt32 = 0
    while let next = rest.popFirst() {
      if next == UInt8(ascii: "}") { return Unicode.Scalar(value).map { Array(String($0).utf8) } }
      guard let digit = next.hexValue, value < 0x11_0000 else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return nil
  }
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Of a digit in either case.
  var hexValue: UInt8? {
    if isDigit { return self - UInt8(ascii: "0") }
    let lower = self | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lower) ? lower - UInt8(ascii: "a") + 10 : nil
  }
}
