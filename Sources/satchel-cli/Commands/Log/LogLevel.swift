import CSatchelSystem
import SatchelLogging
import SatchelSystem

extension Flag {
  fileprivate static let duration = Flag("for", "SPAN", summary: "only for that long: \(TimeSpan.explanation)")
  fileprivate static let reset = Flag("reset", summary: "take back what was set; with words only of these categories")
}

extension Command {
  static let logLevel = Command(
    id: .logLevel, summary: "set what all programs of an app log, while they run",
    details: [
      "LEVEL is the least severity that is logged, of all the log or of one category: info, net=trace, off. It goes before what "
        + "the programs say themselves, from the next record on, and for programs that start later too, until it is taken back.",
      "Without a word it prints what is set, a line each, and when it ends.",
    ],
    operands: [.app, Operand("LEVEL", .any)], flags: [.duration, .reset, .logFolder],
    exclusions: [[.duration, .reset]],
    examples: [
      Example("satchel log level player net=trace --for 60s", "shows all that one category does, for a minute"),
      Example("satchel log level player --reset", "programs decide themselves again"),
    ],
    run: { arguments, output throws(Failure) in try LevelChange(arguments).run(&output) })
}

private struct LevelChange {
  let arguments: Arguments
  let directory: LogDirectory
  let words: [String]
  let span: Int64?

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    words = try arguments.texts(from: 1)
    span = try arguments.span(.duration)
    let place = try arguments.place(try arguments.text(0))
    directory = try calling { () throws(SatchelError) in try LogDirectory.open(app: place.app, path: place.folder) }
  }

  func run(_ output: inout Output) throws(Failure) -> ExitCode {
    if arguments.has(.reset) {
      for category in words.isEmpty ? [""] : words { try set(nil, category) }
    } else if words.isEmpty {
      if span != nil { throw Command.logLevel.misuse("--for needs a LEVEL") }
      for level in directory.levels { output.add(LevelChange.line(level)) }
    } else {
      try setAll(LevelDirectives(words.joined(separator: ",")))
    }
    return .done
  }

  private func setAll(_ directives: LevelDirectives) throws(Failure) {
    if let word = directives.unknown.first {
      let hint = Suggestion.near(String(word.split(separator: "=").last ?? ""), among: Severity.names + ["off"])
      throw Command.logLevel.misuse("\"\(word)\" is no level" + (hint.map { "; did you mean \($0)?" } ?? ""))
    }
    // The whole log first: that is for all categories.
    if let mask = directives.general { try set(mask, "") }
    for (name, mask) in directives.categories { try set(mask, name) }
  }

  private func set(_ mask: SeverityMask?, _ category: String) throws(Failure) {
    try calling { () throws(SatchelError) in try directory.setLevel(mask, category: category, for: span) }
  }

  /// As it is written on the command line, and until when.
  private static func line(_ level: (category: String, mask: SeverityMask, until: Int64?)) -> String {
    let name = Severity.allCases.first { level.mask.contains($0.mask) }.map { "\($0.name)" } ?? "off"
    let word = level.category.isEmpty ? name : level.category + "=" + name
    guard let end = level.until else { return Escape.value(word) + "\n" }
    let second = end.floored(by: 1_000_000_000).quotient
    let clock = Zone.system().rules.offset(at: second)
    return Escape.value(word) + " until " + TimeText.text(second: second + Int64(clock)) + "\n"
  }
}
