import TestSupport
import Testing

@testable import SatchelSystem

@Suite struct PosixZoneTests {
  /// The instants of a year at which the offset changes, in UTC, and what it is then.
  private func changes(_ text: String, in year: Int) throws -> [String] {
    let zone = try #require(PosixZone(text))
    var at = second(year, 1, 1)
    var result: [String] = []
    while case let span = zone.span(at: at), span.until < second(year + 1, 1, 1) {
      #expect(span.contains(at))
      #expect(zone.span(at: span.until).from == span.until)
      at = span.until
      result.append("\(TimeText.text(second: at)) \(zone.span(at: at).offset)")
    }
    return result
  }

  private func second(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    Int64(CivilDate(year: year, month: month, day: day).daysSince1970) * CivilTime.secondsInDay
  }

  @Test func monthsWeeksAndDays() throws {
    #expect(
      try changes("GMT0BST,M3.5.0/1,M10.5.0", in: 2026) == ["2026-03-29T01:00:00 3600", "2026-10-25T01:00:00 0"])
    #expect(
      try changes("EST5EDT,M3.2.0,M11.1.0", in: 2024) == ["2024-03-10T07:00:00 -14400", "2024-11-03T06:00:00 -18000"])
    // The other half of the earth, half an hour, and names that are none.
    #expect(
      try changes("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", in: 2025)
        == ["2025-04-05T15:00:00 37800", "2025-10-04T15:30:00 39600"])
    // Two hours.
    #expect(
      try changes("<+00>0<+02>-2,M3.5.0/1,M10.5.0/3", in: 2025)
        == ["2025-03-30T01:00:00 7200", "2025-10-26T01:00:00 0"])
    // Winter is what is saved.
    #expect(
      try changes("IST-1GMT0,M10.5.0,M3.5.0/1", in: 2025) == ["2025-03-30T01:00:00 3600", "2025-10-26T01:00:00 0"])
  }

  @Test func timesBeyondTheDay() throws {
    // Before the day, and two days behind it.
    #expect(
      try changes("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", in: 2025)
        == ["2025-03-30T01:00:00 -3600", "2025-10-26T01:00:00 -7200"])
    #expect(
      try changes("EET-2EEST,M3.4.4/50,M10.4.4/50", in: 2025) == [
        "2025-03-29T00:00:00 10800", "2025-10-24T23:00:00 7200",
      ])
  }

  @Test func daysOfTheYear() throws {
    // With J the 60th day is the 1st of March in every year, without it in a leap year the 29th of February is day 59.
    #expect(
      try changes("AAA0BBB,J60/0,J365/0", in: 2024) == ["2024-03-01T00:00:00 3600", "2024-12-30T23:00:00 0"])
    #expect(
      try changes("AAA0BBB,J59/0,59/2", in: 2023) == ["2023-02-28T00:00:00 3600", "2023-03-01T01:00:00 0"])
    #expect(
      try changes("AAA0BBB,J59/0,59/2", in: 2024) == ["2024-02-28T00:00:00 3600", "2024-02-29T01:00:00 0"])
  }

  @Test func daylightSavingTimeForEverAndNever() throws {
    let instants = (0..<1500).map { Int64($0) * 21_600 + second(2024, 1, 1) }
    let always = try #require(PosixZone("XXX3EDT4,0/0,J365/23"))
    #expect(instants.allSatisfy { always.span(at: $0).offset == -4 * 3600 })
    let never = try #require(PosixZone("XXX3EDT2,J365/24,0/1"))
    #expect(instants.allSatisfy { never.span(at: $0).offset == -3 * 3600 })
  }

  @Test func changesOfTheNextYearAndOfTheLast() throws {
    // Both of a year fall into the next one.
    #expect(
      try changes("AAA0BBB,J365/48,J365/96", in: 2025) == ["2025-01-02T00:00:00 3600", "2025-01-03T23:00:00 0"])
    // Both into the one before it.
    #expect(
      try changes("AAA0BBB,J1/-96,J1/-48", in: 2025) == ["2025-12-28T00:00:00 3600", "2025-12-29T23:00:00 0"])
  }

  @Test func beyondTheYearsOfTheCalendar() throws {
    let zone = try #require(PosixZone("CET-1CEST,M3.5.0,M10.5.0/3"))
    for second in [Int64.min, CivilDate.secondsInText.lowerBound - 1, CivilDate.secondsInText.upperBound + 1, .max] {
      #expect(zone.span(at: second).offset == 3600)
      #expect(zone.span(at: second).contains(second) || second == .max)
    }
    for second in [CivilDate.secondsInText.lowerBound, CivilDate.secondsInText.upperBound] {
      #expect(zone.span(at: second).contains(second))
    }
  }

  @Test func textThatIsNoZone() {
    for text in [
      "", "A0", "AA0", "UTC", "UTC+", "UTC24", "UTC-24", "UTC25", "UTC0:60", "UTC0:00:60", "UTC0:", "UTC0 ", " UTC0",
      "<+3>-3",
      "<+03-3", "<>0", "UTC0DST", "UTC0DST,", "UTC0DST,M3.5.0", "UTC0DST,M3.5.0,", "UTC0DST,M3.5.0,M10.5.0,",
      "UTC0DST,M13.5.0,M10.5.0", "UTC0DST,M0.5.0,M10.5.0", "UTC0DST,M3.6.0,M10.5.0", "UTC0DST,M3.0.0,M10.5.0",
      "UTC0DST,M3.5.7,M10.5.0", "UTC0DST,M3.5,M10.5.0", "UTC0DST,J0,J365", "UTC0DST,J1,J366", "UTC0DST,0,366",
      "UTC0DST,M3.5.0/168,M10.5.0", "UTC0DST,M3.5.0/-168,M10.5.0", "UTC0DST,M3.5.0/,M10.5.0",
      "UTC-23DST,M3.5.0,M10.5.0",
      "UTC0DST24,M3.5.0,M10.5.0", "UTC00000000000000000000000001", "UTC9223372036854775808", "ÄÖÜ0", "UTC\u{0}0",
      String(repeating: "A", count: 96) + "0",
    ] {
      #expect(PosixZone(text) == nil, "\(text)")
    }
  }

  @Test func offsetsAreReadAsTheyAreWritten() throws {
    #expect(PosixZone(offset: 0).text == "UTC0")
    #expect(PosixZone(offset: 19_800).text == "<+0530>-05:30:00")
    for offset in stride(from: -86_399, through: 86_399, by: 613) {
      let zone = PosixZone(offset: offset)
      #expect(try #require(PosixZone(zone.text)).standard == offset)
    }
    #expect(PosixZone("<+0530>-5:30")?.standard == 19_800)
    #expect(PosixZone("ABC+3:00:01")?.standard == -10_801)
  }

  @Test func anyTextIsHarmless() {
    var random = SeededGenerator(seed: 7)
    let seeds = ["EST5EDT,M3.2.0,M11.1.0", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "XXX3EDT4,0/0,J365/23", "<+1245>-12:45"]
    let letters = Array("<>+-,./:JM0123456789A\u{0}\u{ff}".unicodeScalars)
    var understood = 0
    for _ in 0..<20_000 {
      var text = Array(seeds.randomElement(using: &random)!.unicodeScalars)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        text[Int.random(in: 0..<text.count, using: &random)] = letters.randomElement(using: &random)!
      }
      guard let zone = PosixZone(String(String.UnicodeScalarView(text))) else { continue }
      understood += 1
      let second = Int64.random(in: -70_000_000_000...260_000_000_000, using: &random)
      let span = zone.span(at: second)
      #expect(span.contains(second) && abs(span.offset) < 86_400)
    }
    #expect(understood > 100)
  }
}
