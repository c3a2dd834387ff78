/// Every sub-command, once. Parsing, help, the man page and the completions are all made from it.
enum Table {
  static var commands: [Command] { CommandName.allCases.map { $0.command } }

  static let summary = "settings that every program on this machine reads and writes"

  static func command(named name: String) throws(Failure) -> Command {
    if let known = CommandName(rawValue: name) { return known.command }
    let kind = name.hasPrefix("-") ? "flag" : "command"
    let hint = Suggestion.near(name, among: CommandName.allCases.map(\.rawValue) + ["--help", "--version"])
    throw Failure(
      .usage, "there is no \(kind) \"\(name)\"" + (hint.map { "; did you mean \($0)?" } ?? ""), "see satchel help")
  }
}
