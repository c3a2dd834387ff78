import SatchelSystem
import Testing

@testable import SatchelLogging

@Suite struct LogFileNameTests {
  private let date = CivilDate(year: 2026, month: 12, day: 1)

  private func name(_ app: String, _ number: Int = 0, direct: Bool = false) -> LogFileName {
    LogFileName(app: app, date: date, number: number, isDirect: direct)
  }

  @Test func namesAreReadAsTheyAreWritten() {
    let names = [
      ("player-2026-12-01.log", name("player")),
      ("player-2026-12-01.1.log", name("player", 1)),
      ("player-2026-12-01.999999999.log", name("player", 999_999_999)),
      ("player-2026-12-01.direct.1.log", name("player", 1, direct: true)),
      ("player-2026-12-01.direct.10.log", name("player", 10, direct: true)),
      ("org.example.player-2026-12-01.log", name("org.example.player")),
      // Apps whose names look like something else.
      ("a-2026-12-01-2026-12-01.log", name("a-2026-12-01")),
      ("a-2026-12-01.log-2026-12-01.2.log", name("a-2026-12-01.log", 2)),
      ("a.direct.3-2026-12-01.direct.4.log", name("a.direct.3", 4, direct: true)),
      ("--2026-12-01.log", name("-")),
      ("7-2026-12-01.log", name("7")),
      ("a..b_-2026-12-01.log", name("a..b_")),
    ]
    for (text, name) in names {
      #expect(name.text == text)
      #expect(LogFileName(text) == name)
    }
  }

  @Test func otherNames() {
    for text in [
      "", ".log", "-2026-12-01.log", "player.log", "player-2026-12-01", "player-2026-12-01.log.gz",
      "player-2026-12-01.log ",
      "player-2026-12-01.LOG", "player-2026-12-01.txt", "player-2026-12-01log", "player-2026-12-01..log",
      "player-2026-13-01.log", "player-2026-02-29.log", "player-2026-00-01.log", "player-2026-12-00.log",
      "player-2026-12-32.log", "player-0000-12-01.log", "player-12026-12-01.log", "player-026-12-01.log",
      "player-2026-1-01.log", "player-2026-12-1.log", "player-2026_12_01.log", "player2026-12-01.log",
      "player_2026-12-01.log",
      "player-2026-12-01.0.log", "player-2026-12-01.01.log", "player-2026-12-01.+1.log", "player-2026-12-01.-1.log",
      "player-2026-12-01.1.2.log", "player-2026-12-01.1000000000.log", "player-2026-12-01.99999999999999999999.log",
      "player-2026-12-01.1a.log", "player-2026-12-01.direct.log", "player-2026-12-01.direct.0.log",
      "player-2026-12-01.direct.01.log", "player-2026-12-01.direct..log", "player-2026-12-01direct.1.log",
      "player-2026-12-01.1.direct.1.log", "player-2026-12-01.Direct.1.log", "player-2026-12-01-1.log",
      ".player-2026-12-01.log", "pla yer-2026-12-01.log", "pla/yer-2026-12-01.log", "plä-2026-12-01.log",
      "player-２０２６-12-01.log", "player\n-2026-12-01.log", "player-2026-12-01.log\n",
    ] {
      #expect(LogFileName(text) == nil, "\(text)")
    }
  }

  @Test func apps() {
    for app in ["a", "A.b-c_9", "-", "a.", "2026-12-01"] { #expect(LogFileName.isApp(app)) }
    for app in ["", ".", ".a", "a/b", "a b", "ä", "a\u{0}"] { #expect(!LogFileName.isApp(app)) }
    let longest = String(repeating: "a", count: LogFileName.longestApp)
    #expect(LogFileName.isApp(longest))
    #expect(!LogFileName.isApp(longest + "a"))
    let name = LogFileName(app: longest, date: date, number: 999_999_999, isDirect: true)
    #expect(name.text.utf8.count == 255)
    #expect(LogFileName(name.text) == name)
    #expect(LogFileName("a" + name.text) == nil)
  }

  @Test func theyAreInTheOrderOfDatesAndNumbersNotOfText() {
    let ordered = [
      "a-0999-01-01.log", "a-2026-02-28.log", "a-2026-11-30.direct.9.log", "a-2026-12-01.log", "a-2026-12-01.2.log",
      "a-2026-12-01.9.log", "a-2026-12-01.10.log", "a-2026-12-01.direct.1.log", "a-2026-12-01.direct.2.log",
      "a-2026-12-01.direct.11.log", "a-2026-12-02.log",
    ]
    let names = ordered.compactMap { LogFileName($0) }
    #expect(names.count == ordered.count)
    #expect(names.shuffled().sorted().map(\.text) == ordered)
  }

  /// What a log gets to write to is one name a date, whatever is done to the clocks.
  @Test func oneNameForEachDayOfAYear() throws {
    for text in ["GMT0BST,M3.5.0/1,M10.5.0", "<-03>3<-02>,M11.1.0/0,M2.3.0/0", "NST3:30NDT,M3.2.0/0:01,M11.1.0/0:01"] {
      let rules = ZoneRules(try #require(PosixZone(text)))
      var names: Set<LogFileName> = []
      var at = Int64(CivilDate(year: 2018, month: 1, day: 1).daysSince1970) * 86_400 + 12 * 3600
      let end = at + 365 * 86_400
      while at < end {
        let day = rules.day(at: at)
        for second in [at, day.until - 1] { names.insert(LogFileName(app: "a", date: rules.day(at: second).date)) }
        at = day.until
      }
      #expect(names.count == 366)
      #expect(Set(names.map(\.text)).count == 366)
    }
  }
}
