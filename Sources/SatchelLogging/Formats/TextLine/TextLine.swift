/// Reads what `TextRenderer` writes.
package enum TextLine {
  /// How continuation lines begin. No record does.
  private static let indent = 4

  /// The first record of a text: its line, and the indented ones behind it, with the line break at the end. Empty where there is no
  /// whole line. What has no record's beginning is taken in the same way, and `parse` refuses it.
  package static func first(in text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var end = 0
    while let length = text[end...].firstIndex(of: UInt8(ascii: "\n")) {
      end = length + 1
      let next = text[end...].prefix(indent)
      guard next.count == indent, next.allSatisfy({ $0 == UInt8(ascii: " ") }) else { break }
    }
    return UnsafeRawBufferPointer(rebasing: text[..<end])
  }

  /// nil for what is no record.
  package static func parse(_ record: UnsafeRawBufferPointer) -> LogEntry? {
    let isWhole = record.last == UInt8(ascii: "\n")
    var scanner = ByteScanner(UnsafeRawBufferPointer(rebasing: isWhole ? record.dropLast() : record[...]))
    var entry = LogEntry()
    guard head(&scanner, &entry), place(&scanner, &entry) else { return nil }
    entry.message = message(scanner.take { $0 == UInt8(ascii: "\t") }, hasEscapes: entry.kind != .dump)
    return fields(&scanner, &entry) ? entry : nil
  }

  /// Continuation lines lose their indent, escapes become what they stand for. Those of a dump are its own.
  private static func message(_ text: UnsafeRawBufferPointer, hasEscapes: Bool) -> [UInt8] {
    var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    var message = lines.popFirst().map(Array.init) ?? []
    for line in lines {
      message.append(UInt8(ascii: "\n"))
      message.append(contentsOf: line.dropFirst(indent))
    }
    return hasEscapes ? Unescape.bytes(message) : message
  }

  private static func fields(_ scanner: inout ByteScanner, _ entry: inout LogEntry) -> Bool {
    guard scanner.skip(UInt8(ascii: "\t")) else { return scanner.isAtEnd }
    repeat {
      guard let name = scanner.quotable(end: UInt8(ascii: "=")), scanner.skip(UInt8(ascii: "=")),
        let value = scanner.fieldValue(quoted: { $0.quoted() })
      else { return false }
      entry.fields.append(LogEntry.Field(name, value))
    } while scanner.skip(UInt8(ascii: " "))
    return scanner.isAtEnd
  }
}
