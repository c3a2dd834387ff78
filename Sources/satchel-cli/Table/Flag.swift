/// A flag, `--name` or `--name ARGUMENT`.
struct Flag: Sendable {
  let name: String
  /// The letter of `-z`.
  var letter: String?
  /// What follows it, nil for a flag without.
  var argument: String?
  var completion = Completion.nothing
  let summary: String

  init(
    _ name: String, _ argument: String? = nil, letter: String? = nil, _ completion: Completion = .nothing,
    summary: String
  ) {
    self.name = name
    self.letter = letter
    self.argument = argument
    self.completion = completion
    self.summary = summary
  }

  func isSpelled(_ word: String) -> Bool { word == "--" + name || letter.map { word == "-" + $0 } ?? false }

  var synopsis: String { argument.map { "--\(name) \($0)" } ?? letter.map { "-\($0)" } ?? "--\(name)" }

  /// All spellings, for lists: `-z, --null`.
  var heading: String { (letter.map { "-\($0), " } ?? "") + "--\(name)" + (argument.map { " \($0)" } ?? "") }
}

// Flags that several commands share.
extension Flag {
  static let directory = Flag(
    "directory", "DIR", .folders, summary: "where domains live, instead of $XDG_CONFIG_HOME/satchel")
  static let program = Flag(
    "program", "NAME", summary: "the name under which changes are recorded, instead of satchel")
  static let timeout = Flag(
    "timeout", "SECONDS", summary: "how long to wait for others that write, instead of 5 seconds")
  /// What every command takes that opens a domain.
  static let opening = [directory, program, timeout]

  static let type = Flag("type", "TYPE", .choice(TypeName.all.map(\.name)), summary: "the type of the value")
  static let typeToSet = Flag(
    "type", "TYPE", .choice(TypeName.all.map(\.name) + ["same"]),
    summary: "the type of the value, or same for that which the key holds now")
  static let json = Flag("json", summary: "print JSON")
  static let null = Flag("null", letter: "z", summary: "end with a NUL byte instead of a line feed")
  static let ifEquals = Flag("if-equals", "VALUE", summary: "only if the key holds VALUE, read as --type says")
  static let ifAbsent = Flag("if-absent", summary: "only if the key has no value")
  static let ifRevision = Flag(
    "if-revision", "N", summary: "only if revision N was the last to set the key; 0: if it has no value")
  static let durable = Flag("durable", summary: "return only when the change is on disk, safe from a power cut")
}
