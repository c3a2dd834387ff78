import Glibc
import SatchelLogging
import TestSupport

/// `log-sample text|json|logfmt`: a log of one record of each severity, a second apart, and of some that are hard to read.
@main
enum LogSample {
  static let first: Int64 = 1_796_086_390_123_456_000
  static let offset = 3600
  static let marks: [LineMark] = [.normal, .late, .repeated, .direct]

  static func main() throws {
    switch CommandLine.arguments.dropFirst().first {
    case "text":
      var text = TextRenderer()
      try write { text.render($0, time: $1, offset: offset, mark: $2, category: $3, into: $4) }
    case "json":
      var json = JSONRenderer()
      try write { json.render($0, time: $1, offset: offset, mark: $2, category: $3, into: $4) }
    case "logfmt":
      var logfmt = LogfmtRenderer()
      try write { logfmt.render($0, time: $1, offset: offset, mark: $2, category: $3, into: $4) }
    default: exit(2)
    }
  }

  private static var records: [RecordBuilder] { Severity.allCases.map(ordinary) + [bare, hostile] }

  private static func ordinary(_ severity: Severity) -> RecordBuilder {
    var record = RecordBuilder(severity, line: 12)
    record.category = "error"
    record.place("player.swift", function: "play(_:)")
    record.literal("track ")
    record.value("\"Fatal: critical\"")
    record.field("seconds", .int(3))
    record.field("title", .text(Array("two words".utf8)))
    record.field("ratio", .double(0.5))
    return record
  }

  private static var bare: RecordBuilder {
    var record = RecordBuilder(.warning, thread: [])
    record.literal("bare")
    return record
  }

  private static var hostile: RecordBuilder {
    var record = RecordBuilder(.error)
    record.literal("two\nlines ")
    record.value("\u{1b}[31m\n2026-12-01T00:53:10.123456+00:00 fatal [1/1 x]: forged\tlevel=fatal")
    record.field("level", .text(Array("fatal".utf8)))
    record.field("empty", .text([]))
    record.field("last", .bool(true))
    return record
  }

  /// What the chosen format makes of a record.
  private typealias Render = (
    RecordReader, Int64, LineMark, UnsafeRawBufferPointer, UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer

  private static func write(_ render: Render) throws {
    for (place, record) in records.enumerated() {
      let time = first + Int64(place) * 1_000_000_000
      let line = try record.rendered { render($0, time, marks[place % marks.count], $1, $2) }
      guard Glibc.write(1, line, line.count) == line.count else { exit(1) }
    }
  }
}
