import SatchelSystem

/// Records as text: one line each, and indented lines for the line breaks in the program's own words.
///
///     2026-12-01T00:53:10.123456+00:00 notice [812/815 main] net player.swift:12 play(_:): track started⇥seconds=3 title="Für Elise"
///
/// Every byte of the message and the fields can be read back (`TextLine`), and nothing that comes from outside can begin a line or
/// pass for a field. docs/formats.md has the grammar.
package struct TextRenderer: ~Copyable {
  private var clock = LineClock()
  private let threads = ThreadTexts()

  package init() {}

  /// No line is longer than that; the memory that it is written to has at least that room.
  package static func worstCase(_ recordSize: Int) -> Int { recordSize * 6 + 1024 }

  /// Writes the line of a record, and gives its end. `offset` is in seconds east of UTC; `category` is what the table of the log has
  /// for the record, or empty.
  package mutating func render(
    _ record: RecordReader, time: Int64, offset: Int, mark: LineMark, category: UnsafeRawBufferPointer,
    into memory: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var out = LineWriter(at: memory)
    clock.write(time, offset: offset, &out)
    out.byte(mark.symbol)
    TextRenderer.severity(record, &out)
    threads.write(record, &out) { TextRenderer.thread($0, &$1) }
    let outline = RecordOutline(record, category: category)
    TextRenderer.place(outline, record.line, &out)
    out.byte(UInt8(ascii: ":"))
    out.byte(UInt8(ascii: " "))
    if record.kind == .dump { out.dump(record) } else { out.message(record) }
    if outline.hasFields { TextRenderer.fields(record, &out) }
    out.byte(UInt8(ascii: "\n"))
    return out.at
  }
}
