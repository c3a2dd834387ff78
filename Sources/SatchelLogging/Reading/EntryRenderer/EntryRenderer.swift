import SatchelSystem

/// Lines of any format in one of them, each as it stands where it is in that format already.
package final class EntryRenderer {
  package let format: FileFormat
  /// For a terminal: severities have colours, and nothing in a line moves the cursor.
  private let isForTerminal: Bool
  private let hasColour: Bool
  private var text = TextRenderer()
  private var json = JSONRenderer()
  private var logfmt = LogfmtRenderer()

  package init(_ format: FileFormat, isForTerminal: Bool = false, hasColour: Bool = false) {
    self.format = format
    self.isForTerminal = isForTerminal
    self.hasColour = hasColour
  }

  /// With a line feed at its end.
  package func render(_ line: LogLine) -> [UInt8] {
    var bytes = plain(line)
    if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    if isForTerminal, line.format == nil { bytes = EntryRenderer.shown(bytes) }
    guard hasColour, format == .text, line.format != nil, let colour = Colour.of(line.head.severity) else {
      return bytes
    }
    return colour.bytes + bytes.dropLast() + Colour.reset.bytes + [UInt8(ascii: "\n")]
  }

  private func plain(_ line: LogLine) -> [UInt8] {
    if line.format == format || (line.format == nil && format == .text) { return line.bytes }
    if let entry = line.entry { return render(entry) }
    return render(EntryRenderer.foreign(line))
  }

  /// A line of somebody else, in a format that has no place for such: a message that says so.
  private static func foreign(_ line: LogLine) -> LogEntry {
    var entry = line.head
    entry.message = line.bytes.last == UInt8(ascii: "\n") ? line.bytes.dropLast() : line.bytes
    entry.fields = [LogEntry.Field(Array("foreign".utf8), .bool(true))]
    return entry
  }

  private func render(_ entry: LogEntry) -> [UInt8] {
    let record = entry.record
    return record.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let reader = RecordReader(start, room: bytes.count) else { return [] }
      return [UInt8](unsafeUninitializedCapacity: TextRenderer.worstCase(bytes.count)) { room, count in
        guard let memory = room.baseAddress.map(UnsafeMutableRawPointer.init) else { return }
        count = write(reader, entry, memory) - memory
      }
    }
  }

  private func write(
    _ record: RecordReader, _ entry: LogEntry, _ out: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    let (time, offset, mark) = (entry.time, entry.offset, entry.mark)
    return switch format {
    case .text: text.render(record, time: time, offset: offset, mark: mark, category: none, into: out)
    case .json: json.render(record, time: time, offset: offset, mark: mark, category: none, into: out)
    case .logfmt: logfmt.render(record, time: time, offset: offset, mark: mark, category: none, into: out)
    }
  }

  /// Control characters as escapes. What programs log has them as such already.
  private static func shown(_ bytes: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    for byte in bytes {
      if byte >= 0x20 && byte < 0x7f || byte >= 0xa0 || byte == 0x0a || byte == 0x09 {
        output.append(byte)
      } else {
        let digits = Array("0123456789abcdef".utf8)
        output += [UInt8(ascii: "\\"), UInt8(ascii: "x"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return output
  }
}

extension StaticString {
  fileprivate var bytes: [UInt8] { Array(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)) }
}
