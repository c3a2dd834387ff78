import SatchelSettings
import SatchelSystem
import SatchelValues

extension Flag {
  fileprivate static let format = Flag(
    "format", "FORMAT", .choice(["json", "dotenv"]), summary: "the format, where the name of the file does not tell")
  fileprivate static let replace = Flag("replace", summary: "remove all other keys, so that FILE is all of it")
  fileprivate static let dryRun = Flag("dry-run", letter: "n", summary: "check everything and change nothing")
}

extension Command {
  static let importing = Command(
    name: "import", summary: "set all keys of a file, in one step",
    details: [
      "FILE is a JSON object, or lines KEY=VALUE as in .env and /etc/os-release, whose values are strings. Its name tells: "
        + "*.json, or *.env, .env.*, *-release and environment. Standard input is read where FILE is - or left out.",
      "Either all of it is set, as one revision, or nothing. How many keys were set is said on standard error.",
    ],
    operands: [.domain, Operand("FILE", .optional, .files)],
    flags: [.format, .replace, .dryRun, .durable] + Flag.opening,
    examples: [
      Example("satchel import org.example.host /etc/os-release", "takes over what the file says"),
      Example("satchel export a | satchel import b --format json --replace", "makes b a copy of a"),
    ],
    run: { arguments, _ throws(Failure) in try Import(arguments).run() })
}

private struct Import {
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
    let pairs = try pairs()
    if !arguments.has(.dryRun) {
      try apply(pairs, to: try Opening.writing(domain, arguments))
    } else if let settings = try Opening.changing(domain, arguments) {
      try apply(pairs, to: settings)
    } else {
      try Opening.checkHome(arguments)
      try check(pairs)
      report(set: distinctCount(pairs), removed: 0)
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
      if isJSON { return try JSON.parse(bytes).asDictionary().map { ($0.key, $0.value) } }
      guard let text = String(validating: bytes, as: UTF8.self) else { throw SatchelError(.parse, "it is not UTF-8") }
      return try Dotenv.parse(text).map { ($0.key, .string($0.value)) }
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

  /// Thrown to leave a transaction without writing.
  private struct DryRun: Error {}

  private func apply(_ pairs: Pairs, to settings: Settings) throws(Failure) {
    var removed = 0
    do {
      try settings.transaction { transaction in
        var progress = Progress("import", total: pairs.count)
        for (key, value) in pairs {
          try transaction.set(value, for: key)
          progress.step()
        }
        progress.end()
        if arguments.has(.replace) { removed = try removeOthers(than: pairs, settings, transaction) }
        if arguments.has(.dryRun) { throw DryRun() }
      }
    } catch let error as SatchelError {
      throw Failure(error)
    } catch is DryRun {
      // What was to be found out is known.
    } catch {
      throw Failure(.failed, "\(error)")
    }
    report(set: distinctCount(pairs), removed: removed)
  }

  private func removeOthers(
    than pairs: Pairs, _ settings: Settings, _ transaction: Transaction
  ) throws(SatchelError) -> Int {
    let kept = names(pairs)
    var count = 0
    for key in try settings.keys() where kept[key] == nil {
      if try transaction.remove(key) { count += 1 }
    }
    return count
  }

  /// What setting them would refuse, where there is no domain to try it on.
  private func check(_ pairs: Pairs) throws(Failure) {
    for (key, value) in pairs {
      var name = key
      if name.withUTF8({ Key.violation(UnsafeRawBufferPointer($0)) }) != nil {
        throw Failure(.usage, "\(domain): \(key): a key is 1 to 1024 bytes of UTF-8 without NUL")
      }
      if value == .null {
        throw Failure(.usage, "\(domain): \(key): null can only stand inside arrays and dictionaries")
      }
    }
  }

  /// A dictionary and not a set of strings: it tells keys apart byte by byte.
  private func names(_ pairs: Pairs) -> ValueDictionary {
    var names = ValueDictionary(minimumCapacity: pairs.count)
    for (key, _) in pairs { names.updateValue(.null, forKey: key) }
    return names
  }

  private func distinctCount(_ pairs: Pairs) -> Int { names(pairs).count }

  private func report(set count: Int, removed: Int) {
    let keys = count == 1 ? "1 key" : "\(count) keys"
    let others = arguments.has(.replace) ? ", \(removed) removed" : ""
    let verb = arguments.has(.dryRun) ? "would be set" : "set"
    Diagnostics.say("\(domain): \(keys) \(verb)\(others)")
  }
}
