/// Reads what `LogfmtRenderer` writes. Everything behind the message is a field.
package enum LogfmtLine {
  /// nil for what is no record.
  package static func parse(_ line: UnsafeRawBufferPointer) -> LogEntry? {
    let isWhole = line.last == UInt8(ascii: "\n")
    var scanner = ByteScanner(UnsafeRawBufferPointer(rebasing: isWhole ? line.dropLast() : line[...]))
    guard scanner.peek == UInt8(ascii: "t") else { return nil }
    var entry = LogEntry()
    var isBehindMessage = false
    repeat {
      let name = scanner.take { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: " ") }
      guard scanner.skip(UInt8(ascii: "=")), let value = scanner.fieldValue(quoted: { $0.jsonString() }) else {
        return nil
      }
      if isBehindMessage {
        guard let name = fieldName(name) else { return nil }
        entry.fields.append(LogEntry.Field(name, value))
      } else {
        guard entry.take(String(decoding: name, as: UTF8.self), value) ?? true else { return nil }
        isBehindMessage = name.elementsEqual("msg".utf8)
      }
    } while scanner.skip(UInt8(ascii: " "))
    return isBehindMessage && scanner.isAtEnd ? entry : nil
  }

  private static func fieldName(_ name: UnsafeRawBufferPointer) -> [UInt8]? {
    var scanner = ByteScanner(name)
    _ = scanner.skip("field.")
    var output: [UInt8] = []
    while let byte = scanner.next() {
      guard byte == UInt8(ascii: "%") else {
        output.append(byte)
        continue
      }
      guard let digits = scanner.take(2), let byte = UInt8(hex: digits) else { return nil }
      output.append(byte)
    }
    return output
  }
}
