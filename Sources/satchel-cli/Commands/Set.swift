import SatchelSettings
import SatchelSystem
import SatchelValues

extension Flag {
  fileprivate static let stdin = Flag(
    "stdin", summary: "read the value from standard input, but for a line feed at its end")
  fileprivate static let exact = Flag(
    "null", letter: "z", summary: "with --stdin: keep a line feed, leave out a NUL byte at its end")
}

extension Command {
  static let set = Command(
    id: .set, summary: "set a key",
    details: [
      "Without --type the value is a string. A negative number needs nothing special; any other value or "
        + "key that begins with a dash stands behind --.",
      "Whatever a key held before, --type decides what it holds now: a number that is set without it is text, and programs "
        + "that ask for a number get an error. --type same keeps the type: where VALUE is not of it the exit code is 2, where "
        + "the key has no value 1. satchel help types explains them all.",
      "With one of the --if flags the key is changed only if the condition holds at that moment, whoever else writes; "
        + "where it does not hold the exit code is 1 and nothing is changed.",
      "The domain is made where it does not exist.",
    ],
    operands: [.domain, .key, Operand("VALUE", .optional)],
    flags: [.typeToSet, .ifEquals, .ifAbsent, .ifRevision, .durable, .stdin, .exact] + Flag.opening,
    exclusions: [Condition.flags],
    examples: [
      Example("satchel set org.example.player volume 0.5 --type double", "stores a number"),
      Example("satchel set org.example.player volume 0.7 --type same", "it stays a number"),
      Example("satchel set org.example.player owner \"$USER\" --if-absent", "only the first one succeeds"),
      Example("satchel set org.example.player notes --stdin < notes.txt", "stores what a file holds"),
    ],
    run: { arguments, _ throws(Failure) in try change(arguments) })

  private static func change(_ arguments: Arguments) throws(Failure) -> ExitCode {
    if arguments.value(.type) == "same" { return try changeInType(arguments) }
    let domain = try arguments.text(0)
    let key = try arguments.text(1)
    let type = TypeName.ofText(arguments)
    let condition = try Condition(arguments, type)
    let value = try type.value(of: try text(arguments), for: "\(domain): \(key.shortened)")
    guard condition.allowsAbsence else {
      guard let settings = try Opening.changing(domain, arguments) else { return .no }
      return try apply(condition, value, key, settings)
    }
    return try apply(condition, value, key, try Opening.writing(domain, arguments))
  }

  /// The key is changed only while its type is the one in which VALUE was read.
  private static func changeInType(_ arguments: Arguments) throws(Failure) -> ExitCode {
    if arguments.has(.ifAbsent) { throw set.misuse("--if-absent and --type same exclude each other") }
    let domain = try arguments.text(0)
    let key = try arguments.text(1)
    let text = try text(arguments)
    let settings = try Opening.changing(domain, arguments)
    while true {
      guard let settings, let info = try calling({ () throws(SatchelError) in try settings.info(for: key) }) else {
        throw Failure(.no, "\(domain): \(key.shortened): there is no value, and so no type to keep")
      }
      let type = TypeName.value(info.type)
      let value = try type.value(of: text, for: "\(domain): \(key.shortened)")
      switch try Condition(arguments, type) {
      case .revision(let revision) where revision != info.revision: return .no
      case .none where try apply(.revision(info.revision), value, key, settings) != .done: continue
      case .none: return .done
      case let condition: return try apply(condition, value, key, settings)
      }
    }
  }

  private static func apply(
    _ condition: Condition, _ value: Value, _ key: String, _ settings: Settings
  ) throws(Failure) -> ExitCode {
    try calling { () throws(SatchelError) in try condition.apply(value, to: key, of: settings) } ? .done : .no
  }

  private static func text(_ arguments: Arguments) throws(Failure) -> String {
    let isGiven = arguments.operands.count > 2
    guard arguments.has(.stdin) else {
      guard isGiven else { throw set.misuse("VALUE is missing; --stdin reads it from standard input") }
      return try arguments.text(2)
    }
    if isGiven { throw set.misuse("VALUE and --stdin exclude each other") }
    var bytes = try Input.standard()
    if bytes.last == (arguments.has(.exact) ? 0 : UInt8(ascii: "\n")) { bytes.removeLast() }
    return try Input.text(bytes, from: "standard input")
  }
}
