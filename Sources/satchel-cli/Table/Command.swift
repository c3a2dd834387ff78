/// One sub-command: everything that parsing, help, the man page and the completions need to know of it.
struct Command: Sendable {
  let id: CommandName
  /// What it does, in half a line, beginning with a lower-case letter.
  let summary: String
  /// Paragraphs that explain it.
  let details: [String]
  let operands: [Operand]
  let flags: [Flag]
  /// Flags of which only one can be given.
  var exclusions: [[Flag]] = []
  /// Flags that only the builtin for bash has.
  var flagsOfBuiltin: [String] = []
  let examples: [Example]
  let run: @Sendable (Arguments, inout Output) throws(Failure) -> ExitCode

  var name: String { id.rawValue }

  /// Its flags without those of every command that opens a domain.
  var ownFlags: [Flag] {
    let opening = Flag.opening.map(\.name)
    let names = Set(flags.map(\.name))
    return opening.allSatisfy(names.contains) ? flags.filter { !opening.contains($0.name) } : flags
  }

  /// `satchel get DOMAIN KEY [--type TYPE] …`, in pieces that are not to be broken.
  var synopsis: [String] {
    ["satchel", name] + operands.map(\.synopsis) + flags.map { "[\($0.synopsis)]" }
  }

  /// The failure of a wrong command line.
  func misuse(_ reason: String) -> Failure {
    let words = (["satchel", name] + operands.map(\.synopsis)).joined(separator: " ")
    return Failure(.usage, "\(name): \(reason)", "usage: \(words) [options]; see satchel help \(name)")
  }
}

struct Example: Sendable {
  let command: String
  let meaning: String

  init(_ command: String, _ meaning: String) {
    self.command = command
    self.meaning = meaning
  }
}

/// A word that is not a flag.
struct Operand: Sendable {
  enum Count {
    case one, optional, some, any

    var isRequired: Bool { self == .one || self == .some }
    var isEndless: Bool { self == .some || self == .any }
  }

  let name: String
  let count: Count
  let completion: Completion

  init(_ name: String, _ count: Count = .one, _ completion: Completion = .nothing) {
    self.name = name
    self.count = count
    self.completion = completion
  }

  var synopsis: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .some: "\(name)..."
    case .any: "[\(name)...]"
    }
  }

  static let domain = Operand("DOMAIN", .one, .domains)
  static let key = Operand("KEY", .one, .keys)
  static let app = Operand("APP", .one, .apps)
}

/// What can stand in a place of the command line.
enum Completion: Sendable {
  case nothing
  case domains
  /// Keys of the domain that stands before.
  case keys
  case files
  case folders
  /// One of these words, and no other.
  case choice([String])
  /// What help explains.
  case topics
  /// The commands of the group that stands before.
  case subtopics
  /// Apps that have a log.
  case apps
}
