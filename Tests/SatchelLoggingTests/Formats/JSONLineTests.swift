import SatchelValues
import TestSupport
import Testing

@testable import SatchelLogging

@Suite struct JSONLineTests {
  private func json(_ record: RecordBuilder, mark: LineMark = .normal) throws -> [UInt8] {
    var renderer = JSONRenderer()
    return try record.rendered { renderer.render($0, time: instant, offset: 3600, mark: mark, category: $1, into: $2) }
  }

  @Test func aLineHasEverything() throws {
    var record = RecordBuilder(.alert, kind: .loss, line: 12, number: 3)
    record.category = "net"
    record.place("/src/player.swift", function: "play(_:)")
    record.literal("one\n")
    record.value("\"two\"\u{202e}")
    record.field("n", .int(.max))
    record.field("x", .double(.nan))
    record.field("b", .bytes([0, 255]))
    record.field("", .null)
    #expect(
      String(decoding: try json(record, mark: .direct), as: UTF8.self)
        == #"{"time":"2026-12-01T01:53:10.123456+01:00","level":"alert","message":"one\n\"two\"\u202e","pid":812,"#
        + #""tid":815,"thread":"main","category":"net","file":"player.swift","line":12,"function":"play(_:)","#
        + #""mark":"direct","kind":"loss","number":3,"#
        + #""fields":{"n":9223372036854775807,"x":"nan","b":"<00ff>","":null}}"# + "\n")
  }

  @Test func whatIsNoUTF8IsShown() throws {
    var record = RecordBuilder()
    record.text(.text, [0xff, 0x61, 0xe2, 0x82])
    #expect(String(decoding: try json(record), as: UTF8.self).contains(#""message":"\\xffa\\xe2\\x82""#))
  }

  @Test func randomRecordsAreJSONAndReadBack() throws {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<2000 {
      let made = RandomRecord.make(&random)
      let line = try json(made.record, mark: .late)
      var expected = made.expected
      expected.offset = 3600
      expected.mark = .late
      expected.asOneReadFromJSON()
      expected.message = made.messageParts.flatMap(\.shown)
      #expect(line.withUnsafeBytes { JSONLine.parse($0) } == expected)
      #expect(line.firstIndex(of: UInt8(ascii: "\n")) == line.count - 1)
      // The parser of values refuses a key that comes twice, which a log may have.
      guard Set(expected.fields.map(\.name)).count == expected.fields.count else { continue }
      guard case .dictionary(let value) = try JSON.parse(line) else { throw TestFailure.noRecord }
      #expect(value["message"] == .string(String(decoding: expected.message, as: UTF8.self)))
    }
  }

  @Test func whatIsNoRecordIsRefused() throws {
    let good = String(String(decoding: try json(RecordBuilder()), as: UTF8.self).dropLast())
    #expect(parse(String(good)) != nil)
    #expect(parse(good + "\n") != nil)
    for length in 0..<good.utf8.count { #expect(parse(String(good.prefix(length))) == nil) }
    for bad in ["", "{}", "[]", good + "x", good + "\n\n", #"{"level":"info"}"#] { #expect(parse(bad) == nil) }
    for (old, new) in [
      ("notice", "loud"), ("812", "-1"), ("812", "4294967296"), ("815", "\"815\""), ("main", "\\q"), (":53", ":63"),
    ] {
      #expect(parse(good.replacing(old, with: new)) == nil)
    }
    #expect(parse(good.dropLast() + #","later":[1]}"#) == nil)
    #expect(parse(good.dropLast() + #","later":1}"#) != nil)
  }

  private func parse(_ text: String) -> LogEntry? { Array(text.utf8).withUnsafeBytes { JSONLine.parse($0) } }
}

extension LogEntry {
  /// JSON has fewer types, and no bytes that are no text.
  fileprivate mutating func asOneReadFromJSON() {
    for place in fields.indices {
      fields[place].name = fields[place].name.shown
      fields[place].value = fields[place].value.inJSON
    }
    thread = thread.shown
    (category, file, function) = (category?.shown, file?.shown, function?.shown)
  }
}

extension LogEntry.Value {
  fileprivate var inJSON: LogEntry.Value {
    switch self {
    case .text(let text): .text(text.shown)
    case .double(let number) where !number.isFinite: .text(Array("\(number)".utf8))
    case .bytes(let bytes): .text(Array("<\(bytes.map(hexadecimal).joined())>".utf8))
    case .pointer(let address): .text(Array("0x\(String(address, radix: 16))".utf8))
    case .secret(let print):
      .text(
        Array(
          "<secret \(String(repeating: "0", count: print.leadingZeroBitCount / 4))\(print == 0 ? "" : String(print, radix: 16))>"
            .utf8))
    case .time(let time):
      .text(Array(String(decoding: LogEntry.Value.timeText(time), as: UTF8.self).utf8))
    default: self
    }
  }

  private static func timeText(_ time: Int64) -> [UInt8] {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    defer { memory.deallocate() }
    var writer = LineWriter(at: memory)
    writer.time(time)
    return Array(UnsafeRawBufferPointer(start: memory, count: writer.at - memory))
  }
}

private func hexadecimal(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

extension [UInt8] {
  /// With `\xff` for each byte that is no UTF-8.
  var shown: [UInt8] {
    var output: [UInt8] = []
    var rest = self[...]
    while let first = rest.first {
      let length = (1...4).first { rest.count >= $0 && String(validating: rest.prefix($0), as: UTF8.self) != nil }
      output += length.map { Array(rest.prefix($0)) } ?? Array("\\x\(hexadecimal(first))".utf8)
      rest = rest.dropFirst(length ?? 1)
    }
    return output
  }
}
