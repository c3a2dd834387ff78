import TestSupport
import Testing

@testable import SatchelLogging

@Suite struct TextLineTests {
  /// Rendered, and read back.
  private func roundTrip(_ record: RecordBuilder, mark: LineMark = .normal, offset: Int = 0) throws -> LogEntry? {
    var renderer = TextRenderer()
    let bytes = try record.rendered {
      renderer.render($0, time: instant, offset: offset, mark: mark, category: $1, into: $2)
    }
    return bytes.withUnsafeBytes { text in
      #expect(TextLine.first(in: text).count == text.count)
      return TextLine.parse(text)
    }
  }

  @Test func everythingIsReadBack() throws {
    var record = RecordBuilder(.alert, kind: .loss, line: 7, number: 9)
    record.category = "net"
    record.place("/usr/src/a b.c", function: "void f(int, char)")
    record.literal("one\n two\n")
    record.value("three\n")
    record.field("k", .int(4))
    record.field("a b", .text(Array("c\td".utf8)))
    var expected = LogEntry()
    (expected.time, expected.offset) = (instant - instant % 1000, -34_200)
    (expected.mark, expected.severity, expected.kind, expected.number) = (.late, .alert, .loss, 9)
    (expected.pid, expected.tid, expected.thread) = (812, 815, Array("main".utf8))
    (expected.category, expected.file, expected.line) = (Array("net".utf8), Array("a b.c".utf8), 7)
    expected.function = Array("void f(int, char)".utf8)
    expected.message = Array("one\n two\nthree\n".utf8)
    expected.fields = [.init(Array("k".utf8), .int(4)), .init(Array("a b".utf8), .text(Array("c\td".utf8)))]
    #expect(try roundTrip(record, mark: .late, offset: -34_200) == expected)
  }

  @Test func awkwardNamesAreReadBack() throws {
    let names = [
      "a", "-", "a b", " ", "a:", ":1", "a]", "\"", "\\", "\\n", "ü", "a:1", "[", "f: g", "é\n", "\u{202e}", "#",
    ]
    for name in names {
      for (hasCategory, hasFile, hasFunction) in [
        (true, false, false), (false, true, true), (true, true, true), (false, false, true),
      ] {
        var record = RecordBuilder(thread: Array(name.utf8), line: hasFile ? 3 : 0)
        if hasCategory { record.category = name }
        if hasFile { record.text(.file, name.utf8) }
        if hasFunction { record.text(.function, name.utf8) }
        record.literal(": x")
        let entry = try #require(try roundTrip(record))
        let bytes = Array(name.utf8)
        #expect(entry.thread == bytes)
        #expect(entry.category == (hasCategory ? bytes : nil))
        #expect(entry.file == (hasFile ? bytes : nil))
        #expect(entry.function == (hasFunction ? bytes : nil))
        #expect(entry.message == Array(": x".utf8))
      }
    }
  }

  @Test func randomRecordsAreReadBack() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<3000 {
      let made = RandomRecord.make(&random)
      #expect(try roundTrip(made.record) == made.expected)
    }
  }

  @Test func whatIsNoRecordIsRefused() {
    let good = "2026-12-01T00:53:10.123456+00:00 notice [812/815 main] net a.c:1 f: text\tk=1\n"
    #expect(parse(good) != nil)
    for length in 0..<good.utf8.count - 12 { #expect(parse(String(good.prefix(length))) == nil || length > 70) }
    for (old, new) in [
      ("2026", "2O26"), ("12-01", "13-01"), ("12-01", "11-31"), ("00:53", "24:53"), ("notice", "loud"),
      (" notice", "?notice"),
      ("812", "0812"), ("815", "4294967296"), ("a.c:1", "a.c:x"), ("f:", "f"), ("k=1", "k"), ("k=1", "k=\"1"),
      ("k=1", "k=<1>"),
    ] { #expect(parse(good.replacing(old, with: new)) == nil) }
  }

  @Test func recordsAreTakenWithTheirContinuationLines() {
    let text = "a\n    b\n    \nc\n   d\n\n    e\nf"
    var rest = Array(text.utf8)[...]
    var records: [String] = []
    while true {
      let count = rest.withUnsafeBytes { TextLine.first(in: $0).count }
      if count == 0 { break }
      records.append(String(decoding: rest.prefix(count), as: UTF8.self))
      rest = rest.dropFirst(count)
    }
    #expect(records == ["a\n    b\n    \n", "c\n", "   d\n", "\n    e\n"])
  }

  private func parse(_ text: String) -> LogEntry? { Array(text.utf8).withUnsafeBytes { TextLine.parse($0) } }
}
