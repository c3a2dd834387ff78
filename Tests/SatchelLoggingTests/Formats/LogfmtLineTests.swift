import TestSupport
import Testing

@testable import SatchelLogging

@Suite struct LogfmtLineTests {
  private func logfmt(_ record: RecordBuilder, mark: LineMark = .normal) throws -> [UInt8] {
    var renderer = LogfmtRenderer()
    return try record.rendered { renderer.render($0, time: instant, offset: 3600, mark: mark, category: $1, into: $2) }
  }

  @Test func aLineHasEverything() throws {
    var record = RecordBuilder(.alert, kind: .loss, line: 12, number: 3)
    record.category = "net"
    record.place("/src/player.swift", function: "play(_:)")
    record.literal("one\n")
    record.value("\"two\"\u{202e}")
    record.field("n", .int(.max))
    record.field("level", .text(Array("trace".utf8)))
    record.field("a b=", .text([]))
    record.field("z", .null)
    #expect(
      String(decoding: try logfmt(record, mark: .direct), as: UTF8.self)
        == #"time="2026-12-01T01:53:10.123456+01:00" level=critical mark=direct kind=loss number=3 pid=812 tid=815 "#
        + #"thread=main category=net file=player.swift line=12 function=play(_:) msg="one\n\"two\"\u202e" "#
        + "n=9223372036854775807 field.level=trace a%20b%3d= z=nil\n")
  }

  @Test func anEmptyMessageHasNoQuotes() throws {
    #expect(String(decoding: try logfmt(RecordBuilder()), as: UTF8.self).hasSuffix(" thread=main msg=\n"))
  }

  @Test func randomRecordsAreReadBack() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let made = RandomRecord.make(&random)
      let line = try logfmt(made.record, mark: .repeated)
      var expected = made.expected
      expected.offset = 3600
      expected.mark = .repeated
      (expected.message, expected.thread) = (made.messageParts.flatMap(\.shown), expected.thread.shown)
      expected.category = expected.category?.shown
      (expected.file, expected.function) = (expected.file?.shown, expected.function?.shown)
      for place in expected.fields.indices {
        if case .text(let text) = expected.fields[place].value { expected.fields[place].value = .text(text.shown) }
      }
      #expect(line.withUnsafeBytes { LogfmtLine.parse($0) } == expected)
      #expect(line.firstIndex(of: UInt8(ascii: "\n")) == line.count - 1)
    }
  }

  @Test func namesOfTheHeadAreKeptApart() throws {
    for name in ["time", "level", "msg", "message", "field.", "field.level", "fields", "", "ts", "pid", "%", "a=b"] {
      var record = RecordBuilder()
      record.field(name, .int(1))
      let line = try logfmt(record)
      let entry = line.withUnsafeBytes { LogfmtLine.parse($0) }
      #expect(entry?.fields == [.init(Array(name.utf8), .int(1))])
      #expect(entry?.severity == .notice)
    }
  }

  @Test func whatIsNoRecordIsRefused() throws {
    let good = String(String(decoding: try logfmt(RecordBuilder()), as: UTF8.self).dropLast())
    #expect(parse(String(good)) != nil)
    for length in 0..<good.utf8.count { #expect(parse(String(good.prefix(length))) == nil) }
    for (old, new) in [
      ("notice", "loud"), ("812", "-1"), ("815", "\"815\""), (" msg", " m"), (":53", ":63"), (" ", "  "),
    ] {
      #expect(parse(good.replacing(old, with: new)) == nil)
    }
  }

  private func parse(_ text: String) -> LogEntry? { Array(text.utf8).withUnsafeBytes { LogfmtLine.parse($0) } }
}
