/// Reads what `JSONRenderer` writes, its members in any order. Fields come back as what JSON has types for.
package enum JSONLine {
  /// nil for what is no record.
  package static func parse(_ line: UnsafeRawBufferPointer) -> LogEntry? {
    var scanner = ByteScanner(line)
    var entry = LogEntry()
    var hasTime = false
    let isWhole = scanner.jsonObject { name, scanner in
      let name = String(decoding: name, as: UTF8.self)
      if name == "fields" { return fields(&scanner, &entry) }
      guard let value = scanner.jsonScalarValue() else { return false }
      hasTime = hasTime || name == "time"
      // What a later version says beyond this does not make the rest unreadable.
      return entry.take(name, value) ?? true
    }
    _ = scanner.skip(UInt8(ascii: "\n"))
    return isWhole && hasTime && scanner.isAtEnd ? entry : nil
  }

  private static func fields(_ scanner: inout ByteScanner, _ entry: inout LogEntry) -> Bool {
    scanner.jsonObject { name, scanner in
      guard let value = scanner.jsonScalarValue() else { return false }
      entry.fields.append(LogEntry.Field(name, value))
      return true
    }
  }
}
