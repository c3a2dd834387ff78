extension LogfmtRenderer {
  @inline(never)
  static func unusual(_ record: RecordReader, _ mark: LineMark, _ out: inout LineWriter) {
    if mark != .normal {
      out.word(" mark=")
      out.word(mark.word)
    }
    guard record.kind != .message else { return }
    out.word(" kind=")
    out.word(record.kind.word)
    guard record.number != 0 else { return }
    out.word(" number=")
    out.decimal(UInt64(record.number))
  }

  static func thread(_ record: RecordReader, _ out: inout LineWriter) {
    out.word(" pid=")
    out.decimal(UInt64(record.pid))
    out.word(" tid=")
    out.decimal(UInt64(record.tid))
    pair(" thread=", record.threadName, &out)
  }

  @inline(__always)
  static func place(_ outline: RecordOutline, _ line: UInt32, _ out: inout LineWriter) {
    pair(" category=", outline.category, &out)
    pair(" file=", outline.file, &out)
    if line != 0 {
      out.word(" line=")
      out.decimal(UInt64(line))
    }
    pair(" function=", outline.function, &out)
  }

  /// Nothing for what is not known.
  @inline(__always)
  private static func pair(_ name: StaticString, _ text: UnsafeRawBufferPointer, _ out: inout LineWriter) {
    guard !text.isEmpty else { return }
    out.word(name)
    out.fieldText(text, .json)
  }

  /// Without quotes where it is empty: not every reader of logfmt knows an empty string in quotes.
  @inline(__always)
  static func message(_ record: RecordReader, _ out: inout LineWriter) {
    out.word(" msg=\"")
    let start = out.at
    out.message(record, literal: .json, value: .json)
    if out.at == start { out.at -= 1 } else { out.byte(UInt8(ascii: "\"")) }
  }

  @inline(never)
  static func fields(_ record: RecordReader, _ out: inout LineWriter) {
    var parts = record.parts
    while let part = parts.next() {
      guard case .field(let name) = part else { continue }
      out.byte(UInt8(ascii: " "))
      LogfmtRenderer.name(name, &out)
      out.byte(UInt8(ascii: "="))
      let value = parts.value()
      if case .text(let text)? = value, text.isEmpty { continue }
      out.fieldValue(value, .json)
    }
  }
}
