/// Every sub-command, once. Parsing, help, the man page and the completions are all made from it.
enum Table {
  static let commands: [Command] = [
    .get, .set, .unset, .add, .list, .domains, .importing, .exporting, .doctor, .compact, .help,
  ]

  static let summary = "settings that every program on this machine reads and writes"

  static func command(named name: String) throws(Failure) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let kind = name.hasPrefix("-") ? "flag" : "command"
    let hint = Suggestion.near(name, among: commands.map(\.name) + ["--help", "--version"])
    throw Failure(
      .usage, "there is no \(kind) \"\(name)\"" + (hint.map { "; did you mean \($0)?" } ?? ""), "see satchel help")
  }
}
