extension JSONRenderer {
  static func thread(_ record: RecordReader, _ out: inout LineWriter) {
    out.word(",\"pid\":")
    out.decimal(UInt64(record.pid))
    out.word(",\"tid\":")
    out.decimal(UInt64(record.tid))
    member(",\"thread\":", record.threadName, &out)
  }

  @inline(__always)
  static func place(_ outline: RecordOutline, _ line: UInt32, _ out: inout LineWriter) {
    member(",\"category\":", outline.category, &out)
    member(",\"file\":", outline.file, &out)
    if line != 0 {
      out.word(",\"line\":")
      out.decimal(UInt64(line))
    }
    member(",\"function\":", outline.function, &out)
  }

  /// Nothing for what is not known.
  @inline(__always)
  private static func member(_ key: StaticString, _ text: UnsafeRawBufferPointer, _ out: inout LineWriter) {
    guard !text.isEmpty else { return }
    out.word(key)
    out.quoted(text, .json)
  }

  @inline(never)
  static func unusual(_ record: RecordReader, _ mark: LineMark, _ out: inout LineWriter) {
    if mark != .normal {
      out.word(",\"mark\":\"")
      out.word(mark.word)
      out.byte(UInt8(ascii: "\""))
    }
    guard record.kind != .message else { return }
    out.word(",\"kind\":\"")
    out.word(record.kind.word)
    out.byte(UInt8(ascii: "\""))
    guard record.number != 0 else { return }
    out.word(",\"number\":")
    out.decimal(UInt64(record.number))
  }

  @inline(never)
  static func fields(_ record: RecordReader, _ out: inout LineWriter) {
    out.word(",\"fields\"")
    var separator: StaticString = ":{"
    var parts = record.parts
    while let part = parts.next() {
      guard case .field(let name) = part else { continue }
      out.word(separator)
      separator = ","
      out.quoted(name, .json)
      out.byte(UInt8(ascii: ":"))
      value(parts.value() ?? .null, &out)
    }
    out.byte(UInt8(ascii: "}"))
  }

  private static func value(_ value: RecordReader.Part, _ out: inout LineWriter) {
    switch value {
    case .text(let text), .literal(let text): out.quoted(text, .json)
    case .int, .uint, .bool: out.scalar(value)
    case .double(let number) where number.isFinite: out.double(number)
    case .null: out.word("null")
    default:
      out.byte(UInt8(ascii: "\""))
      out.scalar(value)
      out.byte(UInt8(ascii: "\""))
    }
  }
}
