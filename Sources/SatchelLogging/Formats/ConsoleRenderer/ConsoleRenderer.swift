import SatchelSystem

/// Records as people read them: a line that says where they come from, a marker, the message. What follows a line break is indented
/// by three columns.
///
///     [main] player.swift:12 play(_:)
///     🔸 track started seconds=3
package struct ConsoleRenderer: Sendable {
  package var header: ConsoleHeader
  package var markers: MarkerSet
  package var hasColour: Bool
  /// A blank line behind each entry, as it was before. Without one twice as many entries are on the screen, and marker and indent
  /// tell where the next one begins; so there is none by default.
  package var hasBlankLine: Bool

  package init(
    header: ConsoleHeader = .console, markers: MarkerSet = .symbols, hasColour: Bool = false, hasBlankLine: Bool = false
  ) {
    self.header = header
    self.markers = markers
    self.hasColour = hasColour
    self.hasBlankLine = hasBlankLine
  }

  /// Writes an entry, and gives its end. There is room for `TextRenderer.worstCase`. `time` is shown in UTC.
  package func render(
    _ record: RecordReader, time: Int64, category: UnsafeRawBufferPointer, into memory: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var out = LineWriter(at: memory)
    let outline = RecordOutline(record, category: category)
    let colour = hasColour ? Colour.of(record.severity) : nil
    if record.kind != .lifecycle { head(record, outline, time, &out) }
    if let colour { out.word(colour) }
    out.word(markers.marker(record.severity, record.kind))
    out.byte(UInt8(ascii: " "))
    if record.kind == .dump {
      out.dump(record, arrow: markers.continuation)
    } else {
      out.message(record, literal: .indented)
    }
    if outline.hasFields { TextRenderer.fields(record, &out, first: UInt8(ascii: " ")) }
    if colour != nil { out.word(Colour.reset) }
    out.byte(UInt8(ascii: "\n"))
    if hasBlankLine { out.byte(UInt8(ascii: "\n")) }
    return out.at
  }

  /// Each part and a space; a line break where there was a part.
  private func head(_ record: RecordReader, _ outline: RecordOutline, _ time: Int64, _ out: inout LineWriter) {
    let start = out.at
    if hasColour { out.word(Colour.faint) }
    let parts = out.at
    if header.contains(.category) { word(outline.category, &out) }
    if header.contains(.date) { date(time, &out) }
    if header.contains(.thread) { thread(record, &out) }
    if header.contains(.source), !outline.file.isEmpty, record.line > 0 { source(outline.file, record.line, &out) }
    if header.contains(.function) { word(outline.function, &out) }
    guard out.at > parts else {
      out.at = start
      return
    }
    if hasColour { out.word(Colour.reset) }
    out.byte(UInt8(ascii: "\n"))
  }

  private func word(_ text: UnsafeRawBufferPointer, _ out: inout LineWriter) {
    guard !text.isEmpty else { return }
    out.escaped(text, .value)
    out.byte(UInt8(ascii: " "))
  }

  /// `2026-12-01 00:53:10.123 `
  private func date(_ time: Int64, _ out: inout LineWriter) {
    let start = out.at
    TimeText.write(time, offset: 0, to: start)
    (start + 10).storeBytes(of: UInt8(ascii: " "), as: UInt8.self)
    (start + 23).storeBytes(of: UInt8(ascii: " "), as: UInt8.self)
    out.at = start + 24
  }

  private func thread(_ record: RecordReader, _ out: inout LineWriter) {
    out.byte(UInt8(ascii: "["))
    out.escaped(record.threadName, .value)
    out.word("] ")
  }

  private func source(_ file: UnsafeRawBufferPointer, _ line: UInt32, _ out: inout LineWriter) {
    out.escaped(file, .value)
    out.byte(UInt8(ascii: ":"))
    out.decimal(UInt64(line))
    out.byte(UInt8(ascii: " "))
  }
}
