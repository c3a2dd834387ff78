import SatchelSystem

/// Writes JSON. Whoever calls it has checked the nesting. Throws `.noMemory` only.
struct JSONWriter {
  let isPretty: Bool
  private(set) var output: [UInt8] = []

  init(isPretty: Bool) { self.isPretty = isPretty }

  mutating func write(_ value: Value, indent: Int) throws(SatchelError) {
    switch value {
    case .null: try add("null")
    case .bool(let flag): try add(flag ? "true" : "false")
    case .int(let number): try add(String(number))
    case .uint(let number): try add(String(number))
    case .double(let number): try write(number)
    case .string(let text): try write(text)
    case .data(let bytes): try writeTag("$data", try Base64.encode(bytes))
    case .date(let time): try write(time)
    case .url(let text): try writeTag("$url", text)
    case .uuid(let id): try writeTag("$uuid", id.text)
    case .array(let items):
      try writeContainer("[", "]", items, indent) { (writer, item) throws(SatchelError) in
        try writer.write(item, indent: indent + 1)
      }
    case .dictionary(let entries): try write(entries, indent)
    }
  }

  private mutating func write(_ number: Double) throws(SatchelError) {
    if number.isFinite { try add(number.exactText) } else { try writeTag("$double", number.exactText) }
  }

  private mutating func write(_ time: Timestamp) throws(SatchelError) {
    if let text = try? time.rfc3339() { return try writeTag("$date", text) }
    let numbers: ValueDictionary = ["seconds": .int(time.seconds), "nanoseconds": .int(Int64(time.nanoseconds))]
    try writeOneLine("$date") { (writer) throws(SatchelError) in try writer.write(.dictionary(numbers), indent: 0) }
  }

  /// A dictionary that looks like one of the tags is wrapped, so that it reads back as what it is.
  private mutating func write(_ entries: ValueDictionary, _ indent: Int) throws(SatchelError) {
    guard entries.count == 1, entries[0].key.utf8.first == UInt8(ascii: "$") else {
      return try writeEntries(entries, indent)
    }
    try writeOneLine("$object") { (writer) throws(SatchelError) in try writer.writeEntries(entries, indent) }
  }

  private mutating func writeEntries(_ entries: ValueDictionary, _ indent: Int) throws(SatchelError) {
    try writeContainer("{", "}", entries, indent) { (writer, entry) throws(SatchelError) in
      try writer.write(entry.key)
      try writer.add(writer.isPretty ? ": " : ":")
      try writer.write(entry.value, indent: indent + 1)
    }
  }

  private mutating func writeContainer<Items: Collection>(
    _ open: String, _ close: String, _ items: Items, _ indent: Int,
    _ write: (inout JSONWriter, Items.Element) throws(SatchelError) -> Void
  ) throws(SatchelError) {
    try add(open)
    var isFirst = true
    for item in items {
      if !isFirst { try add(",") }
      isFirst = false
      try startLine(indent + 1)
      try write(&self, item)
    }
    if !items.isEmpty { try startLine(indent) }
    try add(close)
  }

  private mutating func startLine(_ indent: Int) throws(SatchelError) {
    guard isPretty else { return }
    try add("\n")
    for _ in 0..<indent { try add("  ") }
  }

  private mutating func writeTag(_ key: String, _ text: String) throws(SatchelError) {
    try writeOneLine(key) { (writer) throws(SatchelError) in try writer.write(text) }
  }

  private mutating func writeOneLine(
    _ key: String, _ write: (inout JSONWriter) throws(SatchelError) -> Void
  ) throws(SatchelError) {
    try add("{")
    try self.write(key)
    try add(isPretty ? ": " : ":")
    try write(&self)
    try add("}")
  }

  private mutating func write(_ text: String) throws(SatchelError) {
    var text = text
    guard text.withUTF8({ addQuoted($0) }) else { throw SatchelError(.noMemory, "out of memory") }
  }

  /// What needs no escape is added in one piece, from one escape to the next. False where memory is refused.
  private mutating func addQuoted(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard output.hasRoom(for: text.count + 2) else { return false }
    output.append(UInt8(ascii: "\""))
    var start = 0
    while let next = text[start...].firstIndex(where: Self.isEscaped) {
      output.append(contentsOf: text[start..<next])
      // Room for the rest, and for an escape and the quote: it may have been used up by the escapes before.
      guard output.hasRoom(for: text.count - next + 8) else { return false }
      addEscape(of: text[next])
      start = next + 1
    }
    output.append(contentsOf: text[start...])
    output.append(UInt8(ascii: "\""))
    return true
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7f
  }

  private mutating func addEscape(of byte: UInt8) {
    let short: UInt8? =
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
      case 0x08: UInt8(ascii: "b")
      case 0x09: UInt8(ascii: "t")
      case 0x0a: UInt8(ascii: "n")
      case 0x0c: UInt8(ascii: "f")
      case 0x0d: UInt8(ascii: "r")
      default: nil
      }
    output.append(UInt8(ascii: "\\"))
    if let short { return output.append(short) }
    output.append(contentsOf: "u00".utf8)
    output.append(hexDigits[Int(byte >> 4)])
    output.append(hexDigits[Int(byte & 15)])
  }

  private mutating func add(_ text: String) throws(SatchelError) {
    try output.claimRoom(for: text.utf8.count)
    output.append(contentsOf: text.utf8)
  }
}
