import SatchelSystem

/// Records as JSON lines: an object each, without a line break in it.
///
///     {"time":"2026-12-01T00:53:10.123456+00:00","level":"notice","message":"track started","pid":812,"tid":815,"thread":"main",…}
///
/// Integers are exact. What JSON has no type for is a string as text shows it: `"nan"`, `"0x7fff0010"`, `"<00ff>"` for bytes. A byte
/// that is no UTF-8 becomes the characters `\xff`.
package struct JSONRenderer: ~Copyable {
  private var clock = LineClock()
  private let threads = ThreadTexts()

  package init() {}

  /// The same as `TextRenderer.render`.
  package mutating func render(
    _ record: RecordReader, time: Int64, offset: Int, mark: LineMark, category: UnsafeRawBufferPointer,
    into memory: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var out = LineWriter(at: memory)
    out.word("{\"time\":\"")
    clock.write(time, offset: offset, &out)
    out.word("\",\"level\":\"")
    out.word(record.severity.name)
    out.word("\",\"message\":\"")
    out.message(record, literal: .json, value: .json)
    out.byte(UInt8(ascii: "\""))
    threads.write(record, &out) { JSONRenderer.thread($0, &$1) }
    let outline = RecordOutline(record, category: category)
    JSONRenderer.place(outline, record.line, &out)
    if mark != .normal || record.kind != .message { JSONRenderer.unusual(record, mark, &out) }
    if outline.hasFields { JSONRenderer.fields(record, &out) }
    out.word("}\n")
    return out.at
  }
}
