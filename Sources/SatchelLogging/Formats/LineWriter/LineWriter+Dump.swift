extension LineWriter {
  /// What a dump says: its label, then its lines, indented as those of a message are.
  mutating func dump(_ record: RecordReader) { message(record, literal: .dump) }

  /// The same on a console, where an arrow stands in front of the value, and what follows is indented by three columns.
  @inline(never)
  mutating func dump(_ record: RecordReader, arrow: StaticString) {
    var isValue = false
    var parts = record.parts
    while let part = parts.next() {
      guard case .literal(let text) = part else { continue }
      var rest = text[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        escaped(UnsafeRawBufferPointer(rebasing: rest[..<end]), .dump)
        rest = rest[(end + 1)...]
        word(isValue ? "\n   " : "\n")
        if !isValue { word(arrow) }
        if !isValue { byte(UInt8(ascii: " ")) }
        isValue = true
      }
      escaped(UnsafeRawBufferPointer(rebasing: rest), .dump)
    }
  }
}
