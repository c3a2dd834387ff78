import SatchelSystem

/// Records as logfmt: names and values, quoted as JSON quotes.
///
///     time="2026-12-01T00:53:10.123456+00:00" level=notice pid=812 tid=815 thread=main msg="track started" seconds=3
///
/// An alert has the level `critical`, by which other tools know it. Fields come behind the message. The name of one that could be
/// taken for something of the head begins with `field.`, and in every name what logfmt cannot hold is `%` and two hexadecimal digits.
package struct LogfmtRenderer: ~Copyable {
  private var clock = LineClock()
  private let threads = ThreadTexts()

  package init() {}

  /// The same as `TextRenderer.render`.
  package mutating func render(
    _ record: RecordReader, time: Int64, offset: Int, mark: LineMark, category: UnsafeRawBufferPointer,
    into memory: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var out = LineWriter(at: memory)
    out.word("time=\"")
    clock.write(time, offset: offset, &out)
    out.word("\" level=")
    out.word(record.severity == .alert ? "critical" : record.severity.name)
    if mark != .normal || record.kind != .message { LogfmtRenderer.unusual(record, mark, &out) }
    threads.write(record, &out) { LogfmtRenderer.thread($0, &$1) }
    let outline = RecordOutline(record, category: category)
    LogfmtRenderer.place(outline, record.line, &out)
    LogfmtRenderer.message(record, &out)
    if outline.hasFields { LogfmtRenderer.fields(record, &out) }
    out.byte(UInt8(ascii: "\n"))
    return out.at
  }
}
