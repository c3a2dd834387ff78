import SatchelSystem
import Testing

@testable import SatchelLogging

@Suite struct TimePointTests {
  private static let second: Int64 = 1_000_000_000
  /// 2026-12-01T10:30:00Z
  private static let now: Int64 = 1_796_121_000 * second

  @Test(
    arguments: [
      ("1s", 1000), ("90s", 90_000), ("1h30m", 5_400_000), ("1w1d", 691_200_000), ("5ms", 5), ("2s500ms", 2500),
      ("0s", 0),
      ("7000us", 7), ("3000000ns", 3),
    ] as [(String, Int64)])
  func spansAreRead(_ text: String, _ milliseconds: Int64) { #expect(TimeSpan.parse(text) == milliseconds * 1_000_000) }

  @Test(arguments: [
    "", "s", "1", "-1s", "1x", "1 s", "1s ", "9223372036854775807w", "9223372036s9223372036s", "٣s", "1S",
  ])
  func whatIsNoSpanIsNone(_ text: String) { #expect(TimeSpan.parse(text) == nil) }

  /// Milliseconds before `now`.
  @Test(
    arguments: [
      ("now", 0), ("10m", 600_000), ("today", 37_800_000), ("yesterday", 124_200_000), ("10:30", 0),
      ("10:29:59.5", 500),
      ("2026-12-01", 37_800_000), ("2026-12-01T10:30", 0), ("2026-12-01 10:30:00", 0), ("2026-12-01T11:30:00+01:00", 0),
      ("2026-12-01T10:30:00.25Z", -250), ("1000w", 604_800_000_000), ("10000w", 1_796_121_000_000),
    ] as [(String, Int64)])
  func instantsAreRead(_ text: String, _ before: Int64) {
    let expected = TimePointTests.now - before * 1_000_000
    #expect(TimePoint.parse(text, now: TimePointTests.now, zone: .utc) == expected)
  }

  @Test(arguments: [
    "", "soon", "2026-12-32", "2026-13-01", "10", "25:00", "10:60", "2026-12-01T", "2026-12-01T10:30x", "10:30:00.",
    "2026-12-01T10:30+1", "9999-01-01", "0001-01-01",
  ])
  func whatIsNoInstantIsNone(_ text: String) {
    #expect(TimePoint.parse(text, now: TimePointTests.now, zone: .utc) == nil)
  }

  @Test func aDayBeginsByTheClocksOfThePlace() throws {
    let berlin = ZoneRules(try #require(PosixZone("CET-1CEST,M3.5.0,M10.5.0/3")))
    func parse(_ text: String) -> String? {
      TimePoint.parse(text, now: TimePointTests.now, zone: berlin).map {
        TimeText.text(second: $0 / TimePointTests.second)
      }
    }
    #expect(parse("2026-12-01") == "2026-11-30T23:00:00")
    #expect(parse("2026-07-01T00:00") == "2026-06-30T22:00:00")
    // Skipped, and shown twice.
    #expect(parse("2026-03-29T02:30") == "2026-03-29T01:30:00")
    #expect(parse("2026-10-25T02:30") == "2026-10-25T00:30:00")
  }
}
