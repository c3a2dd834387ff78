import SatchelSettings
import SatchelSystem
import SatchelValues

extension Flag {
  fileprivate static let format = Flag(
    "format", "FORMAT", .choice(["json", "dotenv", "env"]), summary: "the format; json where it is left out")
  fileprivate static let pretty = Flag("pretty", summary: "JSON on several lines")
  fileprivate static let nullEnded = Flag(
    "null", letter: "z", summary: "with --format env: end each with a NUL byte instead of a line feed")
}

extension Command {
  static let exporting = Command(
    id: .exporting, summary: "print a whole domain in a format that other programs read",
    details: [
      "json is one JSON object, and holds everything: satchel import makes the same domain of it. dotenv is lines "
        + "KEY='VALUE' for .env files and for sourcing in a shell. env is lines NAME=VALUE without any quotes, as env prints "
        + "them and docker --env-file reads them.",
      "A key or value that the format cannot hold is an error that names the key, and nothing is printed. In dotenv and "
        + "env that are keys that are no names, arrays, dictionaries and NUL bytes, in env also line feeds unless -z is given.",
    ],
    operands: [.domain], flags: [.format, .pretty, .nullEnded] + Flag.opening,
    flagsOfBuiltin: ["-v"],
    examples: [
      Example("satchel export org.example.player --pretty > player.json", "keeps a copy"),
      Example("satchel export org.example.player --format env -z | xargs -0 env", "shows it as an environment"),
    ],
    run: { arguments, output throws(Failure) in try Export(arguments).run(&output) })
}

private struct Export {
  let arguments: Arguments
  let domain: String
  let format: String

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    domain = try arguments.text(0)
    format = arguments.value(.format) ?? "json"
    if arguments.has(.pretty), format != "json" { throw Command.exporting.misuse("--pretty is for JSON") }
    if arguments.has(.nullEnded), format != "env" { throw Command.exporting.misuse("-z is for --format env") }
  }

  func run(_ output: inout Output) throws(Failure) -> ExitCode {
    let settings = try Opening.present(domain, arguments)
    let damage = try Damage.report(settings)
    if damage != .done { throw Failure(damage) }
    let entries = try calling { () throws(SatchelError) in try settings.entries() }
    do throws(SatchelError) { output.add(try text(entries)) } catch {
      let subject = error.key.map { ": \($0)" } ?? ""
      throw Failure(ExitCode(error.code), "\(domain)\(subject): \(error.message)", "--format json holds everything")
    }
    return .done
  }

  private typealias Entries = [(key: String, value: Value)]

  private func text(_ entries: Entries) throws(SatchelError) -> String {
    if format == "env" { return try environment(entries) }
    var dictionary = ValueDictionary(minimumCapacity: entries.count)
    for (key, value) in entries { dictionary.updateValue(value, forKey: key) }
    if format == "dotenv" { return try Dotenv.format(dictionary) }
    return try JSON.format(.dictionary(dictionary), pretty: arguments.has(.pretty)) + "\n"
  }

  private func environment(_ entries: Entries) throws(SatchelError) -> String {
    let end = arguments.has(.nullEnded) ? "\0" : "\n"
    var all = ""
    for (key, value) in entries {
      let text = try value.text(for: key, in: format)
      guard isName(key) else { throw unholdable("a key that is no name of a variable", key) }
      if text.utf8.contains(0) { throw unholdable("a NUL in the value", key) }
      if end == "\n", text.utf8.contains(UInt8(ascii: "\n")) { throw unholdable("a line feed in the value", key) }
      all += key + "=" + text + end
    }
    return all
  }

  private func isName(_ key: String) -> Bool {
    for (place, byte) in key.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): continue
      case UInt8(ascii: "0")...UInt8(ascii: "9") where place > 0: continue
      default: return false
      }
    }
    return true
  }

  private func unholdable(_ what: String, _ key: String) -> SatchelError {
    SatchelError(.type, "\(what) has no form in \(format)", key: key)
  }
}
