import Testing

@testable import SatchelSystem

@Suite struct ZoneDaysTests {
  /// The dates of a place from one instant on, in the order in which its clocks show them, and the hours of each.
  private func days(_ rules: ZoneRules, from: String, hours: Int) -> [String] {
    let start = instant(from)
    let end = start + Int64(hours) * 3600
    var at = start
    var result: [(date: CivilDate, seconds: Int64)] = []
    while at < end {
      let day = rules.day(at: at)
      #expect(day.contains(at) && day.contains(day.until - 1) && !day.contains(day.until))
      #expect(rules.day(at: day.until - 1) == day)
      if result.last?.date != day.date { result.append((day.date, 0)) }
      result[result.count - 1].seconds += min(day.until, end) - at
      at = day.until
    }
    return result.map { "\($0.date.text): \(TimeText.text(second: $0.seconds - 1).dropFirst(11))" }
  }

  private func instant(_ text: String) -> Int64 {
    let parts = text.split { !"0123456789".contains($0) }.map { Int($0)! }
    let date = CivilDate(year: parts[0], month: parts[1], day: parts[2])
    return Int64(date.daysSince1970) * CivilTime.secondsInDay + Int64(parts[3] * 3600 + parts[4] * 60)
  }

  private func rules(_ text: String) throws -> ZoneRules { ZoneRules(try #require(PosixZone(text))) }

  @Test func nightsOfLondon() throws {
    let london = try rules("GMT0BST,M3.5.0/1,M10.5.0")
    #expect(
      days(london, from: "2026-03-28 00:00", hours: 71)
        == ["2026-03-28: 23:59:59", "2026-03-29: 22:59:59", "2026-03-30: 23:59:59"])
    #expect(
      days(london, from: "2026-10-23 23:00", hours: 73)
        == ["2026-10-24: 23:59:59", "2026-10-25: 00:59:59", "2026-10-26: 23:59:59"])
  }

  @Test func clocksThatChangeAtMidnight() throws {
    // São Paulo until 2019: a day begins at one, and the last hour of a day comes twice.
    let saoPaulo = try rules("<-03>3<-02>,M11.1.0/0,M2.3.0/0")
    #expect(
      days(saoPaulo, from: "2018-11-03 03:00", hours: 47) == ["2018-11-03: 23:59:59", "2018-11-04: 22:59:59"])
    #expect(
      days(saoPaulo, from: "2019-02-16 02:00", hours: 49) == ["2019-02-16: 00:59:59", "2019-02-17: 23:59:59"])
  }

  @Test func clocksThatGoBackOverMidnight() throws {
    // St. John's until 2011: a minute of the next day is shown, then the last hour again.
    let stJohns = try rules("NST3:30NDT,M3.2.0/0:01,M11.1.0/0:01")
    #expect(
      days(stJohns, from: "2010-11-06 02:30", hours: 49)
        == ["2010-11-06: 23:59:59", "2010-11-07: 00:00:59", "2010-11-06: 00:58:59", "2010-11-07: 23:59:59"])
  }

  @Test func aDayThatIsLeftOut() throws {
    // Samoa had no 30th of December in 2011.
    let change: Int64 = 1_325_239_200
    let samoa = try #require(TZif(changes: [(change, 1)], offsets: [-36_000, 50_400], footer: "<+14>-14").rules)
    #expect(days(samoa, from: "2011-12-29 10:00", hours: 48) == ["2011-12-29: 23:59:59", "2011-12-31: 23:59:59"])
  }

  @Test func beyondTheCalendar() {
    #expect(ZoneRules.utc.day(at: .min).date == CivilDate(year: 1, month: 1, day: 2))
    #expect(ZoneRules.utc.day(at: .max).date == CivilDate(year: 9999, month: 12, day: 30))
  }
}
