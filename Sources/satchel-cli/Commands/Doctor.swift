import SatchelSettings
import SatchelSystem
import SatchelValues

extension Flag {
  fileprivate static let accept = Flag(
    "accept", "KEY", .keys, summary: "accept the loss of this key's newest value; can be given several times")
  fileprivate static let acceptAll = Flag("accept-all", summary: "accept every loss in the domains that are named")
}

extension Command {
  static let doctor = Command(
    id: .doctor, summary: "examine domains for damage",
    details: [
      "Reads every record of the domains named, or of all, and prints one line for each domain. Exit code 7 where damage "
        + "remains.",
      "A key whose newest record is damaged is an error for everybody who reads it, rather than an older value. Setting it "
        + "again mends it. --accept makes its newest sound value count again, or makes it absent where there is none.",
    ],
    operands: [Operand("DOMAIN", .any, .domains)], flags: [.accept, .acceptAll, .json] + Flag.opening,
    exclusions: [[.accept, .acceptAll]],
    examples: [
      Example("satchel doctor", "one line for each domain"),
      Example("satchel doctor org.example.player --accept volume", "the value before the damaged one counts again"),
    ],
    run: { arguments, output throws(Failure) in try examine(arguments, &output) })

  private static func examine(_ arguments: Arguments, _ output: inout Output) throws(Failure) -> ExitCode {
    let isAccepting = arguments.has(.accept) || arguments.has(.acceptAll)
    let named = try arguments.texts(from: 0)
    if arguments.has(.accept), named.count != 1 { throw doctor.misuse("--accept needs the one DOMAIN of its KEY") }
    if isAccepting, named.isEmpty { throw doctor.misuse("--accept-all needs to be told which DOMAIN") }
    var visit = Visit(arguments: arguments)
    for domain in named.isEmpty ? try all(arguments) : named { try visit.examine(domain, &output) }
    if arguments.has(.json) { try visit.printJSON(&output) }
    return visit.verdict
  }
}

/// One run of the doctor.
private struct Visit {
  let arguments: Arguments
  /// The worst that was found: damage before everything else.
  private(set) var verdict = ExitCode.done
  private var found: [Value] = []

  init(arguments: Arguments) { self.arguments = arguments }

  mutating func examine(_ domain: String, _ output: inout Output) throws(Failure) {
    do throws(Failure) {
      let settings = try Opening.present(domain, arguments)
      try accept(settings)
      try examine(settings, &output)
    } catch {
      // The others are examined all the same.
      error.report()
      note(error.exit)
      let reason = error.lines.first ?? ""
      found.append(.dictionary(["domain": .string(domain), "sound": false, "error": .string(reason)]))
      // Of a domain that is not there, or a key that is not damaged, there is nothing to print.
      if !arguments.has(.json), error.exit != .no { output.add("\(domain): not examined\n") }
    }
  }

  func printJSON(_ output: inout Output) throws(Failure) {
    output.add(try calling { () throws(SatchelError) in try JSON.format(.array(found), pretty: false) } + "\n")
  }

  private func accept(_ settings: Settings) throws(Failure) {
    for key in arguments.values(.accept) {
      guard try isAccepted(key, settings) else {
        throw Failure(.no, "\(settings.domain): \(key.shortened): is not damaged")
      }
    }
    if !arguments.has(.acceptAll) {
      guard arguments.has(.accept), try !hasMore(settings) else { return }
    }
    // Nothing to accept is what was wanted; with the last damaged key the damaged records are accepted too.
    _ = try isAccepted(nil, settings)
  }

  /// Whether there is a loss that no key stands for.
  private func hasMore(_ settings: Settings) throws(Failure) -> Bool {
    let health = try calling { () throws(SatchelError) in try settings.health() }
    return !health.corruptKeys.isEmpty || health.isDegraded || health.droppedBytes > 0
  }

  /// False where nothing was damaged.
  private func isAccepted(_ key: String?, _ settings: Settings) throws(Failure) -> Bool {
    do throws(SatchelError) {
      try settings.accept(key)
      return true
    } catch {
      if error.code == .notFound { return false }
      throw Failure(error)
    }
  }

  private mutating func examine(_ settings: Settings, _ output: inout Output) throws(Failure) {
    let health = try calling { () throws(SatchelError) in try settings.health() }
    if !health.isSound { note(.corrupt) }
    found.append(record(settings, health))
    if arguments.has(.json) { return }
    output.add(settings.domain + ": " + line(health) + "\n")
    if !health.isSound { sayWayOut(settings.domain, health) }
  }

  private mutating func note(_ code: ExitCode) {
    if verdict == .done || code == .corrupt { verdict = code }
  }

  // MARK: Words

  private func line(_ health: Health) -> String {
    var parts = [health.isSound ? "sound" : "damaged"]
    if !health.isSound, health.damagedRecords > 0 { parts.append("\(count(health.damagedRecords, "record")) damaged") }
    if !health.corruptKeys.isEmpty {
      let names = health.corruptKeys.map { $0.map(Escape.value) ?? "(name lost)" }
      parts.append("lost: " + names.joined(separator: ", "))
    }
    if health.isDegraded { parts.append("any key may hold an older value") }
    if health.droppedBytes > 0 { parts.append(loss(health)) }
    parts.append("\(count(health.keys, "key")), \(health.logBytes) of \(health.fileBytes) bytes in use")
    parts.append("\(health.diskBytes) on disk")
    return parts.joined(separator: "; ")
  }

  /// Why the end of the file is gone, and how much of it.
  private func loss(_ health: Health) -> String {
    let causes: [(Health.Event, String)] = [
      (.headerLost, "the file was found empty"), (.cut, "the file was cut short"),
      (.powerLoss, "its end had not reached the disk"),
    ]
    let told = causes.filter { health.notes.contains($0.0) }.map(\.1).joined(separator: ", ")
    // How much was in an empty file, nobody knows: it counts as one byte.
    let bytes = health.droppedBytes - health.notes.count { $0 == .headerLost }
    return bytes > 0 ? told + ": \(count(bytes, "byte")) gone" : told
  }

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  private func sayWayOut(_ domain: String, _ health: Health) {
    let names = health.corruptKeys.compactMap { $0 }
    let areKnown = names.count == health.corruptKeys.count && !health.isDegraded && health.droppedBytes == 0
    if let name = names.first, areKnown {
      let word = name.shellWord ?? "KEY"
      Diagnostics.say("\(domain): set \(name.shortened) again, or: satchel doctor \(domain) --accept \(word)")
    } else {
      Diagnostics.say("\(domain): to go on with what is left: satchel doctor \(domain) --accept-all")
    }
  }

  private func record(_ settings: Settings, _ health: Health) -> Value {
    var entries: ValueDictionary = [
      "domain": .string(settings.domain), "path": .string(settings.path), "sound": .bool(health.isSound),
    ]
    entries["damagedRecords"] = .int(Int64(health.damagedRecords))
    entries["corruptKeys"] = .array(health.corruptKeys.map { $0.map { .string($0) } ?? .null })
    entries["degraded"] = .bool(health.isDegraded)
    entries["droppedBytes"] = .int(Int64(health.droppedBytes))
    entries["keys"] = .int(Int64(health.keys))
    entries["fileBytes"] = .int(Int64(health.fileBytes))
    entries["diskBytes"] = .int(Int64(health.diskBytes))
    entries["logBytes"] = .int(Int64(health.logBytes))
    entries["generation"] = Value(health.generation)
    entries["portable"] = .bool(health.isPortable)
    entries["notes"] = .array(health.notes.map { .string($0.rawValue) })
    return .dictionary(entries)
  }
}
