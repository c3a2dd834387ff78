extension DumpWriter {
  /// In quotes, with the escapes of C. What is no UTF-8 is `\xff`.
  mutating func quoted(_ text: UnsafeRawBufferPointer) {
    word("\"")
    let shown = UnsafeRawBufferPointer(rebasing: text.prefix(limits.text))
    escaped(shown, quotes: true, in: text)
    word("\"")
    if text.count > shown.count { ascii("... \(text.count - shown.count) more bytes") }
  }

  mutating func quoted(_ text: some StringProtocol) {
    var text = String(text)
    text.withUTF8 { quoted(UnsafeRawBufferPointer($0)) }
  }

  /// In one line, and without quotes: names, labels.
  mutating func plain(_ text: String) {
    var text = text
    text.withUTF8 { plain(UnsafeRawBufferPointer($0)) }
  }

  mutating func plain(_ text: UnsafeRawBufferPointer) { escaped(text, quotes: false, in: text) }

  /// What a value says of itself: in as many lines as it wants, from the second on one level further right.
  mutating func description(_ text: String) {
    guard !text.isEmpty else { return word("<no description>") }
    depth += 1
    var text = text
    text.withUTF8 { bytes in
      var isFirst = true
      let shown = UnsafeRawBufferPointer(bytes).prefix(limits.size)
      for part in shown.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        if !isFirst { line() }
        isFirst = false
        plain(UnsafeRawBufferPointer(rebasing: part))
      }
      if bytes.count > limits.size { ascii("... \(bytes.count - limits.size) more bytes") }
    }
    depth -= 1
  }

  /// `whole` is what `text` is the beginning of: a character that is cut is not invalid.
  private mutating func escaped(_ text: UnsafeRawBufferPointer, quotes: Bool, in whole: UnsafeRawBufferPointer) {
    guard let start = text.baseAddress, let wholeStart = whole.baseAddress else { return }
    var at = UnsafeRawPointer(start)
    let end = at + text.count
    while at < end {
      let byte = at.load(as: UInt8.self)
      if byte < 0x80 {
        ascii(byte, quotes: quotes)
        at += 1
      } else if let scalar = UTF8Scalar(at, before: wholeStart + whole.count) {
        if scalar.isHazard {
          ascii("\\u{" + String(scalar.value, radix: 16) + "}")
        } else {
          for place in 0..<scalar.length { self.byte(at.load(fromByteOffset: place, as: UInt8.self)) }
        }
        at += scalar.length
      } else {
        hexEscape(byte)
        at += 1
      }
    }
  }

  private mutating func ascii(_ byte: UInt8, quotes: Bool) {
    switch byte {
    case UInt8(ascii: "\\") where quotes: word("\\\\")
    case UInt8(ascii: "\"") where quotes: word("\\\"")
    case 0x20...0x7e: self.byte(byte)
    default: control(byte)
    }
  }

  private mutating func control(_ byte: UInt8) {
    switch byte {
    case 0: word("\\0")
    case 7: word("\\a")
    case 8: word("\\b")
    case 9: word("\\t")
    case 10: word("\\n")
    case 11: word("\\v")
    case 12: word("\\f")
    case 13: word("\\r")
    case 27: word("\\e")
    default: hexEscape(byte)
    }
  }

  private mutating func hexEscape(_ byte: UInt8) {
    word("\\x")
    hex(byte)
  }

  private mutating func hex(_ byte: UInt8) {
    self.byte(DumpWriter.digit(byte >> 4))
    self.byte(DumpWriter.digit(byte & 15))
  }

  private static func digit(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x57 + digit }

  /// `16 bytes <00ff…>`
  mutating func data(_ data: UnsafeRawBufferPointer, of count: Int) {
    ascii(count == 1 ? "1 byte <" : "\(count) bytes <")
    for byte in data.prefix(limits.text) { hex(byte) }
    word(">")
    if count > min(data.count, limits.text) { ascii("... \(count - min(data.count, limits.text)) more bytes") }
  }

  mutating func address(_ address: UInt) { ascii("0x" + String(address, radix: 16)) }

  /// `'a' 0x61`
  mutating func character(_ text: UnsafeRawBufferPointer, _ values: some Sequence<UInt32>) {
    word("'")
    if text.elementsEqual("'".utf8) || text.elementsEqual("\\".utf8) { word("\\") }
    plain(text)
    word("'")
    for value in values { ascii(" 0x" + String(value, radix: 16)) }
  }
}
