/// Every sub-command, once. Parsing, help, the man page and the completions are all made from it.
enum Table {
  static var commands: [Command] { CommandName.allCases.map { $0.command } }

  static let summary = "settings that every program on this machine reads and writes"

  /// What can stand behind `satchel`: commands, and groups in the place of their first command.
  static var words: [String] {
    CommandName.allCases.map { String($0.rawValue.prefix { $0 != " " }) }.reduce(into: []) { words, word in
      if words.last != word { words.append(word) }
    }
  }

  static func summary(of word: String) -> String {
    Group.named(word)?.summary ?? CommandName(rawValue: word)?.command.summary ?? ""
  }

  static func command(named name: String) throws(Failure) -> Command {
    if let known = CommandName(rawValue: name) { return known.command }
    throw unknown(name, among: words + ["--help", "--version"], help: "see satchel help")
  }

  static func command(named name: String, in group: Group) throws(Failure) -> Command {
    if let known = CommandName(rawValue: group.name + " " + name) { return known.command }
    throw unknown(
      name, before: group.name + ": ", among: group.words + ["--help"], help: "see satchel help \(group.name)")
  }

  private static func unknown(
    _ name: String, before lead: String = "", among known: [String], help: String
  ) -> Failure {
    let kind = name.hasPrefix("-") ? "flag" : "command"
    let hint = Suggestion.near(name, among: known).map { "; did you mean \($0)?" } ?? ""
    return Failure(.usage, "\(lead)there is no \(kind) \"\(name)\"\(hint)", help)
  }
}
