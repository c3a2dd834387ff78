/// Commands that have their first word in common.
struct Group: Sendable {
  let name: String
  /// What they are for, in half a line.
  let summary: String
  let details: [String]

  static let all = [log]

  static let log = Group(
    name: "log", summary: "write logs and read them",
    details: [
      "The log of an app is written by all its programs at once, in every language. It lies in "
        + "$XDG_STATE_HOME/satchel/logs/APP, else below $HOME/.local/state, in files APP-YYYY-MM-DD.log that any other tool can "
        + "read. The name of an app has letters, digits, dots, dashes and underscores."
    ])

  static func named(_ name: String) -> Group? { all.first { $0.name == name } }

  var names: [CommandName] { CommandName.allCases.filter { $0.rawValue.hasPrefix(name + " ") } }
  var commands: [Command] { names.map(\.command) }
  /// The second words.
  var words: [String] { names.map { String($0.rawValue.dropFirst(name.count + 1)) } }
}
