import TestSupport
import Testing

@testable import SatchelLogging

/// Bytes that are no records, and records of hostile bytes: every format makes exactly one line of them that harms nobody.
@Suite struct HostileRecordTests {
  private func check(_ record: [UInt8]) throws {
    guard record.withUnsafeBytes({ RecordReader($0.baseAddress.unsafelyUnwrapped, room: $0.count) != nil }) else {
      return
    }
    var text = TextRenderer()
    var json = JSONRenderer()
    var logfmt = LogfmtRenderer()
    let line = try RecordBuilder.rendered(record) {
      text.render($0, time: instant, offset: 0, mark: .normal, category: $1, into: $2)
    }
    #expect(line.withUnsafeBytes { TextLine.first(in: $0).count } == line.count)
    #expect(line.withUnsafeBytes { TextLine.parse($0) } != nil)
    isHarmless(line, breaks: true)
    let object = try RecordBuilder.rendered(record) {
      json.render($0, time: instant, offset: 0, mark: .normal, category: $1, into: $2)
    }
    #expect(object.withUnsafeBytes { JSONLine.parse($0) } != nil)
    isHarmless(object, breaks: false)
    let pairs = try RecordBuilder.rendered(record) {
      logfmt.render($0, time: instant, offset: 0, mark: .normal, category: $1, into: $2)
    }
    #expect(pairs.withUnsafeBytes { LogfmtLine.parse($0) } != nil)
    isHarmless(pairs, breaks: false)
    let entry = try RecordBuilder.rendered(record) {
      ConsoleRenderer(header: .all).render($0, time: instant, category: $1, into: $2)
    }
    isHarmless(entry, breaks: true)
  }

  /// UTF-8 without live controls, and one line; or all others indented.
  private func isHarmless(_ line: [UInt8], breaks: Bool) {
    guard let text = String(validating: line, as: UTF8.self) else {
      Issue.record("no UTF-8: \(line)")
      return
    }
    let isClean = text.unicodeScalars.allSatisfy {
      $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && $0.value != 0x7f && !hazards.contains($0.value)
    }
    #expect(isClean)
    #expect(text.utf8.count { $0 == UInt8(ascii: "\t") } <= 1)
    #expect(text.hasSuffix("\n"))
    #expect(breaks || text.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
  }

  private let hazards: Set<UInt32> = Set(0x80...0x9f).union([0x61c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0xfeff])
    .union(0x202a...0x202e).union(0x2066...0x2069)

  @Test func randomBytes() throws {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<1000 {
      var record = (0..<Int.random(in: 7...40, using: &random) * 8).map { _ in UInt8.random(in: 0...255, using: &random)
      }
      withUnsafeBytes(of: UInt32(record.count)) { record.replaceSubrange(0..<4, with: $0) }
      withUnsafeBytes(of: UInt32(record.count - 3)) { record.replaceSubrange(24..<28, with: $0) }
      try check(record)
    }
  }

  @Test func damagedRecords() throws {
    var random = SeededGenerator(seed: 10)
    for _ in 0..<1000 {
      var record = RandomRecord.make(&random).record.record
      for _ in 0..<3 {
        record[Int.random(in: 28..<record.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try check(record)
    }
  }

  @Test func theWorstCaseIsEnough() throws {
    for byte in [0, 0x0a, 0x1f, 0x22, 0x5c, 0x7f, 0x80, 0xff] as [UInt8] {
      for tag in [Segment.literal, .text, .bytes, .file, .function, .category] {
        for count in [0, 1, 300] {
          var record = RecordBuilder(
            .alert, kind: .lifecycle, thread: [UInt8](repeating: byte, count: 16), number: .max)
          for _ in 0..<6 {
            record.text(tag, [UInt8](repeating: byte, count: count))
            record.text(.field, [UInt8](repeating: byte, count: count))
          }
          for _ in 0..<50 { record.field("", .time(.min)) }
          try check(record.record)
        }
      }
    }
    var hidden = RecordBuilder()
    hidden.value(String(repeating: "\u{e0041}", count: 900))
    hidden.value(String(repeating: "\u{85}", count: 900))
    try check(hidden.record)
  }

  @Test func randomTextIsParsedWithoutHarm() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<5000 {
      var text = Array(
        "2026-12-01T00:53:10.123456+00:00 notice [812/815 main] net a.c:1 f: text\tk=1 b=\"x\" c=<00>\n".utf8)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<text.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[place] = UInt8.random(in: 0...255, using: &random)
        case 1: text.remove(at: place)
        default: text.insert(text[Int.random(in: 0..<text.count, using: &random)], at: place)
        }
      }
      let entry = text.withUnsafeBytes { TextLine.parse($0) }
      _ = text.withUnsafeBytes { (JSONLine.parse($0), LogfmtLine.parse($0)) }
      // Whatever is understood has a whole head.
      #expect(entry == nil || text.starts(with: "2".utf8))
    }
  }
}
