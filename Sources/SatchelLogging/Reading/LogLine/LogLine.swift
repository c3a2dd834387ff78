/// A record as it stands in a file, or a line that is none.
package struct LogLine: Sendable {
  /// With the line feed at its end.
  package let bytes: [UInt8]
  /// nil where it is no record.
  package let format: FileFormat?
  /// What is known without reading all of it: time, mark, severity, and by whom. A line that is no record has the time of the record
  /// before it, beside which it stays.
  package let head: LogEntry

  package var time: Int64 { head.time }

  init(_ text: UnsafeRawBufferPointer, after time: Int64) {
    bytes = Array(text)
    (format, head) = LogLine.read(text, after: time)
  }

  private static func read(_ text: UnsafeRawBufferPointer, after time: Int64) -> (FileFormat?, LogEntry) {
    let format = FileFormat(startingAt: text)
    if format == .text {
      var scanner = ByteScanner(text)
      var entry = LogEntry()
      if TextLine.head(&scanner, &entry) { return (.text, entry) }
    } else if let entry = format == .json ? JSONLine.parse(text) : LogfmtLine.parse(text) {
      return (format, entry)
    }
    var none = LogEntry()
    none.time = time
    return (nil, none)
  }

  /// All of the record; nil where it is none, or was cut.
  package var entry: LogEntry? {
    switch format {
    case .text: bytes.withUnsafeBytes { TextLine.parse($0) }
    case .json, .logfmt: head
    case nil: nil
    }
  }
}

extension FileFormat {
  /// What a line would have to be.
  init(startingAt line: UnsafeRawBufferPointer) {
    switch line.first {
    case UInt8(ascii: "{")?: self = .json
    case UInt8(ascii: "t")?: self = .logfmt
    default: self = .text
    }
  }
}
