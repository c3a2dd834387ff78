/// Writes JSON. Whoever calls it has checked the nesting.
struct JSONWriter {
  let isPretty: Bool
  private(set) var output: [UInt8] = []

  init(isPretty: Bool) { self.isPretty = isPretty }

  mutating func write(_ value: Value, indent: Int) {
    switch value {
    case .null: add("null")
    case .bool(let flag): add(flag ? "true" : "false")
    case .int(let number): add(String(number))
    case .uint(let number): add(String(number))
    case .double(let number): write(number)
    case .string(let text): write(text)
    case .data(let bytes): writeTag("$data", Base64.encode(bytes))
    case .date(let time): write(time)
    case .url(let text): writeTag("$url", text)
    case .uuid(let id): writeTag("$uuid", id.text)
    case .array(let items): writeContainer("[", "]", items, indent) { $0.write($1, indent: indent + 1) }
    case .dictionary(let entries): write(entries, indent)
    }
  }

  private mutating func write(_ number: Double) {
    if number.isFinite { add(number.exactText) } else { writeTag("$double", number.exactText) }
  }

  private mutating func write(_ time: Timestamp) {
    if let text = try? time.rfc3339() { return writeTag("$date", text) }
    let numbers: ValueDictionary = ["seconds": .int(time.seconds), "nanoseconds": .int(Int64(time.nanoseconds))]
    writeOneLine("$date") { $0.write(.dictionary(numbers), indent: 0) }
  }

  /// A dictionary that looks like one of the tags is wrapped, so that it reads back as what it is.
  private mutating func write(_ entries: ValueDictionary, _ indent: Int) {
    guard entries.count == 1, entries[0].key.utf8.first == UInt8(ascii: "$") else {
      return writeEntries(entries, indent)
    }
    writeOneLine("$object") { $0.writeEntries(entries, indent) }
  }

  private mutating func writeEntries(_ entries: ValueDictionary, _ indent: Int) {
    writeContainer("{", "}", entries, indent) { writer, entry in
      writer.write(entry.key)
      writer.add(writer.isPretty ? ": " : ":")
      writer.write(entry.value, indent: indent + 1)
    }
  }

  private mutating func writeContainer<Items: Collection>(
    _ open: String, _ close: String, _ items: Items, _ indent: Int, _ write: (inout JSONWriter, Items.Element) -> Void
  ) {
    add(open)
    var isFirst = true
    for item in items {
      if !isFirst { add(",") }
      isFirst = false
      startLine(indent + 1)
      write(&self, item)
    }
    if !items.isEmpty { startLine(indent) }
    add(close)
  }

  private mutating func startLine(_ indent: Int) {
    guard isPretty else { return }
    output.append(UInt8(ascii: "\n"))
    for _ in 0..<indent { add("  ") }
  }

  private mutating func writeTag(_ key: String, _ text: String) {
    writeOneLine(key) { $0.write(text) }
  }

  private mutating func writeOneLine(_ key: String, _ write: (inout JSONWriter) -> Void) {
    add("{")
    self.write(key)
    add(isPretty ? ": " : ":")
    write(&self)
    add("}")
  }

  private mutating func write(_ text: String) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0x08: add("\\b")
      case 0x09: add("\\t")
      case 0x0a: add("\\n")
      case 0x0c: add("\\f")
      case 0x0d: add("\\r")
      case 0..<0x20, 0x7f: output += Array("\\u00".utf8) + [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func add(_ text: String) { output.append(contentsOf: text.utf8) }
}
