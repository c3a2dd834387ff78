extension LogfmtRenderer {
  /// What the head says or other tools take for it, and what begins as if it were marked already.
  private static let reserved: [StaticString] = [
    "", "time", "timestamp", "ts", "level", "lvl", "mark", "kind", "number", "pid", "tid", "thread", "category", "file",
    "line",
    "function", "msg", "message",
  ]

  static func name(_ name: UnsafeRawBufferPointer, _ out: inout LineWriter) {
    if isReserved(name) { out.word("field.") }
    guard name.contains(UInt8(ascii: "%")) || LineWriter.hasBreak(name, UInt8(ascii: "=")) else {
      return out.bytes(name)
    }
    for byte in name {
      if isPlain(byte) {
        out.byte(byte)
      } else {
        out.byte(UInt8(ascii: "%"))
        out.hex(byte)
      }
    }
  }

  private static func isReserved(_ name: UnsafeRawBufferPointer) -> Bool {
    if name.count >= 6, name[0] == UInt8(ascii: "f"), name.starts(with: "field.".utf8) { return true }
    return name.count <= 9 && reserved.contains { $0.isSame(as: name) }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21..<0x7f).contains(byte) && byte != UInt8(ascii: "=") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "%")
  }
}
