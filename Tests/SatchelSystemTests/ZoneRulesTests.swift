import TestSupport
import Testing

@testable import SatchelSystem

@Suite struct ZoneRulesTests {
  private let some = TZif(
    changes: [(-1000, 1), (1000, 2), (5000, 1)], offsets: [75, 3600, -7200], footer: "ABC-1", leapSeconds: 2,
    indicators: 3)

  @Test(arguments: [0, UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "4"), UInt8(ascii: "9")])
  func tablesOfEveryVersion(_ version: UInt8) throws {
    var file = some
    file.version = version
    let rules = try #require(file.rules)
    #expect(rules.span(at: .min) == span(.min, -1000, 75))
    #expect(rules.span(at: -1001) == span(.min, -1000, 75))
    #expect(rules.span(at: -1000) == span(-1000, 1000, 3600))
    #expect(rules.span(at: 999) == span(-1000, 1000, 3600))
    #expect(rules.span(at: 1000) == span(1000, 5000, -7200))
    #expect(rules.span(at: 5000) == span(5000, .max, 3600))
    #expect(rules.offset(at: .max) == 3600)
  }

  private func span(_ from: Int64, _ until: Int64, _ offset: Int) -> SpanText {
    SpanText(from: from, until: until, offset: offset)
  }

  /// To compare with: only the library makes spans.
  private struct SpanText: Equatable {
    let from: Int64
    let until: Int64
    let offset: Int

    static func == (a: ZoneRules.Span, b: SpanText) -> Bool {
      a.from == b.from && a.until == b.until && a.offset == b.offset
    }
  }

  @Test func whatTheFooterSaysHoldsAfterTheTable() throws {
    // Its last change is that of spring 2000.
    let last: Int64 = 954_032_400
    let file = TZif(changes: [(0, 0), (last, 1)], offsets: [3600, 7200], footer: "CET-1CEST,M3.5.0,M10.5.0/3")
    let rules = try #require(file.rules)
    #expect(rules.rule.text == file.footer)
    #expect(rules.span(at: last - 1) == span(0, last, 3600))
    #expect(rules.span(at: last) == span(last, 972_781_200, 7200))
    #expect(rules.span(at: 972_781_200) == span(972_781_200, 985_482_000, 3600))
    // And does not reach into it, where a zone has broken with its habits.
    let summer = try #require(
      TZif(changes: [(last + 5_000_000, 1)], offsets: [3600, 7200], footer: file.footer).rules)
    #expect(summer.span(at: last + 5_000_000) == span(last + 5_000_000, 972_781_200, 7200))
  }

  @Test func withoutAFooterTheLastOffsetStays() throws {
    for footer in [nil, "", "nonsense", "UTC0DST", String(repeating: "A", count: 200) + "0"] {
      let file = TZif(changes: [(0, 1)], offsets: [3600, 19_800], footer: footer)
      let rules = try #require(file.rules)
      #expect(rules.offset(at: -1) == 3600)
      #expect(rules.offset(at: 1 << 40) == 19_800)
      #expect(rules.rule.text == "<+0530>-05:30:00")
    }
    #expect(TZif(offsets: [-3600], footer: nil).rules?.offset(at: 0) == -3600)
  }

  @Test func bytesThatAreNoZone() {
    let bytes = some.bytes
    #expect(some.rules != nil)
    let end = bytes.count - "\nABC-1\n".utf8.count
    for count in 0..<end { #expect(rules(Array(bytes[..<count])) == nil) }
    // Only the footer is cut.
    for count in end..<bytes.count { #expect(rules(Array(bytes[..<count]))?.rule.text == "<+0100>-01:00:00") }
    #expect(TZif(changes: [(5, 0), (4, 0)]).rules == nil)
    #expect(TZif(changes: [(5, 1)]).rules == nil)
    #expect(TZif(changes: [(5, 255)]).rules == nil)
    #expect(TZif(offsets: []).rules == nil)
    #expect(TZif(offsets: [86_400]).rules == nil)
    #expect(TZif(offsets: [0, .min]).rules == nil)
    #expect(TZif(version: 0, offsets: [.max]).rules == nil)
  }

  private func rules(_ bytes: [UInt8]) -> ZoneRules? { bytes.withUnsafeBytes { ZoneRules(tzif: $0) } }

  @Test func anyBytesAreHarmless() throws {
    var random = SeededGenerator(seed: 11)
    var seeds = [some.bytes, TZif(version: 0, changes: [(1, 0)]).bytes]
    seeds.append(TZif(changes: [(954_032_400, 0)], footer: "CET-1CEST,M3.5.0,M10.5.0/3").bytes)
    var understood = 0
    for _ in 0..<30_000 {
      var bytes = seeds.randomElement(using: &random)!
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = [0, 1, 0x7f, 0x80, 0xff, UInt8.random(in: 0...255, using: &random)].randomElement(
          using: &random)!
      }
      if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
      guard let rules = rules(bytes) else { continue }
      understood += 1
      expectSense(rules, &random)
    }
    #expect(understood > 1000)
  }

  private func expectSense(_ rules: ZoneRules, _ random: inout SeededGenerator) {
    let instants: [Int64] = [
      .min, -1 << 59, -1000, 0, 1_700_000_000, .max - 1, Int64.random(in: .min ... .max, using: &random),
    ]
    for second in instants + rules.changes where second != .max {
      let span = rules.span(at: second)
      #expect(span.contains(second) && abs(span.offset) < 86_400)
      let day = rules.day(at: second)
      #expect(day.from < day.until && 1...9999 ~= day.date.year)
    }
  }
}
