extension LineWriter {
  /// As it is, or in quotes where it is empty, or holds what would end it or could be taken for an escape.
  mutating func quotable(_ text: UnsafeRawBufferPointer, end: UInt8) {
    if text.isEmpty || LineWriter.hasBreak(text, end) { quoted(text) } else { bytes(text) }
  }

  mutating func quoted(_ text: UnsafeRawBufferPointer, _ style: Escape = .quoted) {
    byte(UInt8(ascii: "\""))
    escaped(text, style)
    byte(UInt8(ascii: "\""))
  }

  /// The text of a field: in quotes too where it could be taken for a value of another type.
  mutating func fieldText(_ text: UnsafeRawBufferPointer, _ style: Escape) {
    if LineWriter.looksTyped(text) || LineWriter.hasBreak(text, UInt8(ascii: "=")) {
      quoted(text, style)
    } else {
      bytes(text)
    }
  }

  @inline(__always)
  static func hasBreak(_ text: UnsafeRawBufferPointer, _ end: UInt8) -> Bool {
    guard var from = text.baseAddress else { return false }
    let last = from + text.count
    while last - from >= 8 {
      if PlainText.wordBreaks(from.loadUnaligned(as: UInt64.self), end: end) != 0 { return true }
      from += 8
    }
    let left = last - from
    let found = PlainText.wordBreaks(PlainText.tail(from, left), end: end)
    return found & ((1 &<< UInt64(left * 8)) - 1) != 0
  }

  /// Numbers, times, bytes, secrets, true, false, nil, nan, inf; and what is empty.
  private static func looksTyped(_ text: UnsafeRawBufferPointer) -> Bool {
    guard let first = text.first else { return true }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "<"):
      return true
    default:
      guard text.count <= 5 else { return false }
      return ("true" as StaticString).isSame(as: text) || ("false" as StaticString).isSame(as: text)
        || ("nil" as StaticString).isSame(as: text) || ("nan" as StaticString).isSame(as: text)
        || ("inf" as StaticString).isSame(as: text)
    }
  }
}
