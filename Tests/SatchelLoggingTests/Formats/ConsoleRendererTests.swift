import TestSupport
import Testing

@testable import SatchelLogging

@Suite struct ConsoleRendererTests {
  private func text(_ record: RecordBuilder, _ renderer: ConsoleRenderer = ConsoleRenderer()) throws -> String {
    let bytes = try record.rendered { renderer.render($0, time: instant, category: $1, into: $2) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func entry(_ severity: Severity = .notice, kind: RecordKind = .message) -> RecordBuilder {
    var record = RecordBuilder(severity, kind: kind, line: 12)
    record.category = "net"
    record.place("Sources/Player/player.swift", function: "play(_:)")
    record.literal("track started")
    return record
  }

  @Test func aHeaderStandsAboveTheMessage() throws {
    #expect(try text(entry()) == "[main] player.swift:12 play(_:) \n🔸 track started\n")
  }

  @Test func theHeaderHasWhatTheMaskAsksFor() throws {
    for (mask, header) in [
      ([], ""), (.date, "2026-12-01 00:53:10.123 \n"), (.thread, "[main] \n"), (.source, "player.swift:12 \n"),
      (.function, "play(_:) \n"), (.category, "net \n"),
      (.all, "net 2026-12-01 00:53:10.123 [main] player.swift:12 play(_:) \n"),
    ] as [(ConsoleHeader, String)] {
      #expect(try text(entry(), ConsoleRenderer(header: mask)) == header + "🔸 track started\n")
    }
  }

  @Test func whatIsNotKnownIsNotInTheHeader() throws {
    var record = RecordBuilder(thread: [], line: 0)
    record.text(.file, "a.c".utf8)
    record.literal("x")
    #expect(try text(record) == "[] \n🔸 x\n")
    #expect(try text(record, ConsoleRenderer(header: [.source, .function, .category])) == "🔸 x\n")
  }

  @Test func markersTellTheSeverity() throws {
    let plain = ConsoleRenderer(header: [], markers: .ascii)
    let symbols = ConsoleRenderer(header: [])
    let all = Severity.allCases.map { entry($0) }
    #expect(
      try all.map { try text($0, symbols).prefix { $0 != " " } } == ["🔹", "🔹", "🔷", "🔸", "🔶", "🔺", "⚠️", "❗"])
    #expect(
      try all.map { try text($0, plain).prefix { $0 != " " } }
        == ["[t]", "[d]", "[i]", "[N]", "[W]", "[E]", "[A]", "[F]"])
  }

  @Test func assertionsAndLifecycleHaveTheirOwn() throws {
    let symbols = ConsoleRenderer(header: [])
    #expect(try text(entry(.alert, kind: .assertion), symbols) == "❗ track started\n")
    #expect(try text(entry(.trace, kind: .lifecycle)) == "📲 track started\n")
    #expect(try text(entry(.trace, kind: .lifecycle), ConsoleRenderer(markers: .ascii)) == "[*] track started\n")
  }

  @Test func continuationLinesAreIndented() throws {
    var record = RecordBuilder()
    record.literal("広い\ntwo\n")
    record.value("a\nb")
    record.field("k", .text(Array("v w".utf8)))
    #expect(try text(record, ConsoleRenderer(header: [])) == "🔸 広い\n   two\n   a\\nb k=\"v w\"\n")
  }

  @Test func aBlankLineIsAnOption() throws {
    #expect(try text(entry(), ConsoleRenderer(header: [], hasBlankLine: true)) == "🔸 track started\n\n")
  }

  @Test func onlyItsOwnColoursAreAlive() throws {
    var record = entry(.error)
    record.value("\u{1b}[31m")
    let coloured = ConsoleRenderer(header: .thread, hasColour: true)
    #expect(
      try text(record, coloured)
        == "\u{1b}[2m[main] \u{1b}[0m\n\u{1b}[31m🔺 track started\\x1b[31m\u{1b}[0m\n")
    #expect(try text(entry(.info), ConsoleRenderer(header: [], hasColour: true)) == "🔷 track started\n")
    #expect(!(try text(record, ConsoleRenderer()).contains("\u{1b}")))
  }

  @Test func colourIsDecidedByTheEnvironmentAndTheStream() {
    func hasColour(_ isTerminal: Bool, _ variables: [String: String]) -> Bool {
      ColourChoice.hasColour(isTerminal: isTerminal) { variables[$0] }
    }
    let term = ["TERM": "xterm-256color"]
    #expect(hasColour(true, term))
    #expect(!hasColour(false, term))
    #expect(!hasColour(true, [:]))
    #expect(!hasColour(true, ["TERM": "dumb"]))
    #expect(!hasColour(true, term.merging(["NO_COLOR": "1"]) { $1 }))
    #expect(hasColour(true, term.merging(["NO_COLOR": ""]) { $1 }))
    #expect(!hasColour(true, ["NO_COLOR": "1", "FORCE_COLOR": "1"]))
    #expect(hasColour(false, ["FORCE_COLOR": "1"]))
    #expect(hasColour(false, ["FORCE_COLOR": "3", "TERM": "dumb"]))
    #expect(!hasColour(true, term.merging(["FORCE_COLOR": "0"]) { $1 }))
    #expect(hasColour(true, term.merging(["FORCE_COLOR": ""]) { $1 }))
    #expect(hasColour(false, ["CLICOLOR_FORCE": "1"]))
    #expect(!hasColour(false, ["CLICOLOR_FORCE": "0"]))
    #expect(!hasColour(true, term.merging(["CLICOLOR": "0"]) { $1 }))
    #expect(hasColour(true, term.merging(["CLICOLOR": "1"]) { $1 }))
  }
}
