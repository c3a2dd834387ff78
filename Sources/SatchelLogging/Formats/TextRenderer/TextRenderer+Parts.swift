extension TextRenderer {
  /// An alert has the word beside it by which other tools know it.
  @inline(__always)
  static func severity(_ record: RecordReader, _ out: inout LineWriter) {
    out.word(record.severity == .alert ? "alert/critical" : record.severity.name)
    if record.kind != .message { kind(record, &out) }
  }

  @inline(never)
  private static func kind(_ record: RecordReader, _ out: inout LineWriter) {
    out.byte(UInt8(ascii: " "))
    out.word(record.kind.word)
    guard record.number != 0 else { return }
    out.byte(UInt8(ascii: "#"))
    out.decimal(UInt64(record.number))
  }

  /// ` [812/815 main]`: there is always a name, so that these are always two words, which no other format has there.
  static func thread(_ record: RecordReader, _ out: inout LineWriter) {
    out.word(" [")
    out.decimal(UInt64(record.pid))
    out.byte(UInt8(ascii: "/"))
    out.decimal(UInt64(record.tid))
    out.byte(UInt8(ascii: " "))
    let name = record.threadName
    if name.isEmpty {
      out.byte(UInt8(ascii: "-"))
    } else if name.contains(where: isQuotedInName) || name.elementsEqual("-".utf8) {
      out.quoted(name)
    } else {
      out.bytes(name)
    }
    out.byte(UInt8(ascii: "]"))
  }

  private static func isQuotedInName(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte >= 0x7f || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// ` category file.swift:12 function`, each where it is known. Only the middle one has a colon before a number, and a function
  /// comes behind one always.
  @inline(__always)
  static func place(_ outline: RecordOutline, _ line: UInt32, _ out: inout LineWriter) {
    if !outline.category.isEmpty {
      out.byte(UInt8(ascii: " "))
      out.quotable(outline.category, end: UInt8(ascii: ":"))
    }
    guard !outline.file.isEmpty || !outline.function.isEmpty || line != 0 else { return }
    out.byte(UInt8(ascii: " "))
    if !outline.file.isEmpty { out.quotable(outline.file, end: UInt8(ascii: ":")) }
    out.byte(UInt8(ascii: ":"))
    out.decimal(UInt64(line))
    if !outline.function.isEmpty {
      out.byte(UInt8(ascii: " "))
      out.quotable(outline.function, end: UInt8(ascii: " "))
    }
  }

  /// Behind a tab, which nothing else writes.
  @inline(never)
  static func fields(_ record: RecordReader, _ out: inout LineWriter, first: UInt8 = UInt8(ascii: "\t")) {
    var separator = first
    var parts = record.parts
    while let part = parts.next() {
      guard case .field(let name) = part else { continue }
      out.byte(separator)
      separator = UInt8(ascii: " ")
      out.quotable(name, end: UInt8(ascii: "="))
      out.byte(UInt8(ascii: "="))
      out.fieldValue(parts.value(), .quoted)
    }
  }
}

extension LineWriter {
  @inline(__always)
  mutating func fieldValue(_ value: RecordReader.Part?, _ style: Escape) {
    switch value {
    case .text(let text)?, .literal(let text)?: fieldText(text, style)
    case .int(let number)?: decimal(number)
    case let value?: scalar(value)
    case nil: scalar(.null)
    }
  }
}
