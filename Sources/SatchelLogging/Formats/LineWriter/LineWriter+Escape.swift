extension LineWriter {
  /// Text of any bytes. What is plain goes over eight bytes at a time.
  @inline(__always)
  mutating func escaped(_ text: UnsafeRawBufferPointer, _ style: Escape) {
    guard var from = text.baseAddress else { return }
    let end = from + text.count
    while copyPlain(&from, end, quotes: style.hasQuotes) { special(&from, end, style) }
  }

  /// False at the end, true where something is not plain.
  @inline(__always)
  private mutating func copyPlain(_ from: inout UnsafeRawPointer, _ end: UnsafeRawPointer, quotes: Bool) -> Bool {
    while end - from >= 8 {
      let word = from.loadUnaligned(as: UInt64.self)
      at.storeBytes(of: word, as: UInt64.self)
      let found = PlainText.specials(word, quotes: quotes)
      let plain = found == 0 ? 8 : found.trailingZeroBitCount >> 3
      from += plain
      at += plain
      if found != 0 { return true }
    }
    let left = end - from
    guard left > 0 else { return false }
    let word = PlainText.tail(from, left)
    at.storeBytes(of: word, as: UInt64.self)
    let found = PlainText.specials(word, quotes: quotes) & (1 << UInt64(left * 8) - 1)
    let plain = found == 0 ? left : found.trailingZeroBitCount >> 3
    from += plain
    at += plain
    return found != 0
  }

  /// What is not plain, and all of its kind behind it: text beyond ASCII rarely comes alone.
  @inline(never)
  private mutating func special(_ from: inout UnsafeRawPointer, _ end: UnsafeRawPointer, _ style: Escape) {
    while from < end {
      let byte = from.load(as: UInt8.self)
      if byte < 0x80 {
        guard byte < 0x20 || byte == 0x7f || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "\"") && style.hasQuotes
        else { return }
        ascii(byte, from, end, style)
        from += 1
      } else if let scalar = UTF8Scalar(from, before: end) {
        if scalar.isHazard { escape(scalar.value, style) } else { copy(from, scalar.length) }
        from += scalar.length
      } else {
        invalid(byte, style)
        from += 1
      }
    }
  }

  private mutating func ascii(_ byte: UInt8, _ from: UnsafeRawPointer, _ end: UnsafeRawPointer, _ style: Escape) {
    switch byte {
    case UInt8(ascii: "\n") where style == .literal || style == .dump: word("\n    ")
    case UInt8(ascii: "\n") where style == .indented: word("\n   ")
    case UInt8(ascii: "\n"): word("\\n")
    case UInt8(ascii: "\r"): word("\\r")
    case UInt8(ascii: "\t"): word("\\t")
    case UInt8(ascii: "\""): word("\\\"")
    case UInt8(ascii: "\\"):
      self.byte(byte)
      if style == .json || style != .dump && !LineWriter.standsAlone(behind: from, end) { self.byte(byte) }
    default:
      word(style == .json ? "\\u00" : "\\x")
      hex(byte)
    }
  }

  /// A backslash is doubled only where it could be taken for the beginning of an escape. A path of Windows stays legible.
  private static func standsAlone(behind backslash: UnsafeRawPointer, _ end: UnsafeRawPointer) -> Bool {
    guard backslash + 1 < end else { return false }
    let next = (backslash + 1).load(as: UInt8.self)
    return (0x20..<0x7f).contains(next) && !Unescape.isLetter(next)
  }

  private mutating func escape(_ scalar: UInt32, _ style: Escape) {
    guard style == .json else {
      word("\\u{")
      hex(UInt64(scalar))
      return byte(UInt8(ascii: "}"))
    }
    if scalar < 0x10000 { return codeUnit(scalar) }
    codeUnit(0xd800 | (scalar - 0x10000) >> 10)
    codeUnit(0xdc00 | (scalar & 0x3ff))
  }

  private mutating func codeUnit(_ unit: UInt32) {
    word("\\u")
    hex(UInt64(unit), width: 4)
  }

  /// A byte that is no UTF-8. JSON has no way to hold one: there it becomes the four characters that show it in text.
  private mutating func invalid(_ byte: UInt8, _ style: Escape) {
    word(style == .json ? "\\\\x" : "\\x")
    hex(byte)
  }
}
