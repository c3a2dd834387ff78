import SatchelSettings
import SatchelSystem
import SatchelValues

extension Flag {
  fileprivate static let format = Flag(
    "format", "FORMAT", .choice(["json", "dotenv"]), summary: "the format, where the name of the file does not tell")
  static let replace = Flag("replace", summary: "remove all other keys, so that FILE is all of it")
  static let inParts = Flag("in-parts", summary: "in as many steps as it takes, where it is too large for one")
  static let skipNull = Flag("skip-null", summary: "leave out keys whose value is null, which no key can hold")
  static let dryRun = Flag("dry-run", letter: "n", summary: "check everything and change nothing")
}

extension Command {
  static let importing = Command(
    id: .importing, summary: "set all keys of a file, in one step",
    details: [
      "FILE is a JSON object, or lines KEY=VALUE as in .env and /etc/os-release, whose values are strings. Its name tells: "
        + "*.json, or *.env, .env.*, *-release and environment. Standard input is read where FILE is - or left out.",
      "A key whose value is null is refused, as no key can hold it, unless --skip-null leaves it out. With --replace such a "
        + "key is removed then.",
      "Either all of it is set, as one revision, or nothing. How many keys were set is said on standard error.",
      "One step holds up to 64 MiB, each key counting about 130 bytes beside itself and its value, and up to 1048575 keys. "
        + "What is larger is refused, unless --in-parts allows several steps, each of which is all or nothing: where one "
        + "fails, or the machine stops, those before it stand, and the same import can simply be run again.",
    ],
    operands: [.domain, Operand("FILE", .optional, .files)],
    flags: [.format, .replace, .skipNull, .inParts, .dryRun, .durable] + Flag.opening,
    examples: [
      Example("satchel import org.example.host /etc/os-release", "takes over what the file says"),
      Example("satchel export a | satchel import b --format json --replace", "makes b a copy of a"),
    ],
    run: { arguments, _ throws(Failure) in try Import(arguments).run() })
}

struct Import {
  static let wayOutOfNull = "--skip-null leaves out keys whose value is null"

  let arguments: Arguments
  let domain: String
  /// In messages.
  let source: String

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    domain = try arguments.text(0)
    let name = arguments.operands.count > 1 ? arguments.operands[1].shown : "-"
    source = name == "-" ? "standard input" : name
  }

  func run() throws(Failure) -> ExitCode {
    let all = try pairs()
    let pairs = arguments.has(.skipNull) ? all.filter { $0.value != .null } : all
    if pairs.count < all.count { Diagnostics.say("\(domain): null and left out: \(count(all.count - pairs.count))") }
    if !arguments.has(.dryRun) {
      try apply(pairs, to: try Opening.writing(domain, arguments))
    } else if let settings = try Opening.changing(domain, arguments) {
      try apply(pairs, to: settings)
    } else {
      try check(pairs)
      report(set: pairs.count, removed: 0)
    }
    return .done
  }

  // MARK: Reading

  private typealias Pairs = [(key: String, value: Value)]

  private func pairs() throws(Failure) -> Pairs {
    let isJSON = try format() == "json"
    let isStandardInput = arguments.operands.count < 2 || source == "standard input"
    let bytes = isStandardInput ? try Input.standard() : try Input.file(arguments.operands[1])
    do throws(SatchelError) {
      let dictionary = isJSON ? try JSON.parse(bytes).asDictionary() : try Dotenv.dictionary(bytes)
      return dictionary.map { ($0.key, $0.value) }
    } catch {
      throw Failure(.usage, "\(source): \(error.message)")
    }
  }

  private func format() throws(Failure) -> String {
    if let format = arguments.value(.format) { return format }
    let name = source.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(source[$0...].dropFirst()) } ?? source
    if name.hasSuffix(".json") { return "json" }
    let isDotenv =
      name.hasSuffix(".env") || name.hasPrefix(".env.") || name.hasSuffix("-release") || name == "environment"
    if isDotenv { return "dotenv" }
    throw Command.importing.misuse("the name of \(source) does not tell its format: say --format json or dotenv")
  }

  // MARK: Writing

  private func apply(_ pairs: Pairs, to settings: Settings) throws(Failure) {
    // What is wrong with the file itself must not stop it half-way.
    if arguments.has(.inParts) { try check(pairs) }
    var steps = ImportSteps(settings, pairs, arguments)
    try steps.run()
    report(set: pairs.count, removed: steps.removed)
  }

  /// What setting them would refuse, without a domain to try it on.
  private func check(_ pairs: Pairs) throws(Failure) {
    for (key, value) in pairs {
      var name = key
      if let code = name.withUTF8({ Key.violation(UnsafeRawBufferPointer($0)) }) {
        throw Failure(ExitCode(code), "\(domain): \(key.shortened): a key is 1 to 1024 bytes of UTF-8 without NUL")
      }
      if value == .null {
        let reason = "null can only stand inside arrays and dictionaries"
        throw Failure(.usage, "\(domain): \(key.shortened): \(reason)", Self.wayOutOfNull)
      }
    }
  }

  private func count(_ number: Int) -> String { number == 1 ? "1 key" : "\(number) keys" }

  private func report(set count: Int, removed: Int) {
    let others = arguments.has(.replace) ? ", \(removed) removed" : ""
    let verb = arguments.has(.dryRun) ? "would be set" : "set"
    Diagnostics.say("\(domain): \(self.count(count)) \(verb)\(others)")
  }
}
