import Glibc
import SatchelSettings
import SatchelSystem
import SatchelValues

extension Flag {
  fileprivate static let keys = Flag("keys", summary: "print the keys only")
  fileprivate static let long = Flag(
    "long", summary: "print type, revision, time, user id, process id and program in front of each key")
  fileprivate static let prefix = Flag("prefix", "TEXT", summary: "only keys that begin with TEXT")
}

extension Command {
  static let list = Command(
    id: .list, summary: "print the keys and values of a domain",
    details: [
      "One line key=value for each key, in the order in which the keys were first set.", Escape.explanation,
      "With -z each ends with a NUL byte instead, and only the key of a key=value is escaped; a value that holds a NUL "
        + "itself is an error then. With --json all of it is one JSON object.",
      "--long prints seven columns: type, revision, time, user id, process id, program (its spaces as \\0040), key=value. "
        + "On a terminal they have headings.",
    ],
    operands: [.domain], flags: [.keys, .long, .json, .null, .prefix] + Flag.opening,
    exclusions: [[.json, .null], [.json, .long], [.keys, .long]],
    flagsOfBuiltin: ["-a", "-A"],
    examples: [
      Example("satchel list org.example.player", "prints volume=0.5"),
      Example("satchel list org.example.player --prefix net. --keys", "prints some of the keys"),
    ],
    run: { arguments, output throws(Failure) in try Listing(arguments).run(&output) })
}

private struct Listing {
  let arguments: Arguments
  let domain: String
  let prefix: [UInt8]

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    domain = try arguments.text(0)
    prefix = Array((arguments.value(.prefix) ?? "").utf8)
  }

  func run(_ output: inout Output) throws(Failure) -> ExitCode {
    let settings = try Opening.present(domain, arguments)
    let damage = try Damage.report(settings)
    if arguments.has(.keys) {
      try printKeys(settings, &output)
    } else if arguments.has(.long) {
      try printLong(settings, &output)
    } else {
      try printEntries(settings, &output)
    }
    return damage
  }

  // MARK: Keys

  private func printKeys(_ settings: Settings, _ output: inout Output) throws(Failure) {
    let keys = try calling { () throws(SatchelError) in try settings.keys() }.filter(isWanted)
    if arguments.has(.json) { return try printJSON(.array(keys.map { .string($0) }), &output) }
    for key in keys {
      output.add(arguments.has(.null) ? key : Escape.value(key))
      try end(&output)
    }
  }

  // MARK: Entries

  private func printEntries(_ settings: Settings, _ output: inout Output) throws(Failure) {
    let entries = try calling { () throws(SatchelError) in try settings.entries() }.filter { isWanted($0.key) }
    if arguments.has(.json) {
      var dictionary = ValueDictionary(minimumCapacity: entries.count)
      for (key, value) in entries { dictionary.updateValue(value, forKey: key) }
      return try printJSON(.dictionary(dictionary), &output)
    }
    for (key, value) in entries {
      output.add(try line(key, value))
      try end(&output)
    }
  }

  private func line(_ key: String, _ value: Value) throws(Failure) -> String {
    do throws(SatchelError) {
      let text = try shown(value)
      guard arguments.has(.null) else { return Escape.key(key) + "=" + Escape.value(text) }
      if text.utf8.contains(0) { throw SatchelError(.type, "the value holds a NUL; --json can print it") }
      return Escape.key(key) + "=" + text
    } catch {
      throw Failure(ExitCode(error.code), "\(domain): \(key.shortened): \(error.message)")
    }
  }

  /// A date too far away for its text is shown as JSON: one value cannot stop a listing.
  private func shown(_ value: Value) throws(SatchelError) -> String {
    if case .date(let time) = value, (try? time.rfc3339()) == nil { return try JSON.format(value, pretty: false) }
    return try value.text
  }

  // MARK: Long

  private static let headings = ["TYPE", "REVISION", "TIME", "UID", "PID", "PROGRAM", "KEY=VALUE"]

  private func printLong(_ settings: Settings, _ output: inout Output) throws(Failure) {
    var rows: [[String]] = []
    for key in try calling({ () throws(SatchelError) in try settings.keys() }) where isWanted(key) {
      if let row = try row(key, settings) { rows.append(row) }
    }
    // For people; what reads a pipe knows the columns.
    if !rows.isEmpty, !arguments.has(.null), isatty(STDOUT_FILENO) == 1 { rows.insert(Self.headings, at: 0) }
    let widths = (0..<6).map { column in rows.map { $0[column].unicodeScalars.count }.max() ?? 0 }
    for row in rows {
      for (cell, width) in zip(row, widths) {
        output.add(cell + String(repeating: " ", count: width - cell.unicodeScalars.count + 2))
      }
      output.add(row[6])
      try end(&output)
    }
  }

  /// Value and author belong together: read again where somebody wrote in between. Nil where the key is gone by now.
  private func row(_ key: String, _ settings: Settings) throws(Failure) -> [String]? {
    while true {
      let (before, value, after) = try calling { () throws(SatchelError) in
        (try settings.info(for: key), try settings.value(for: key), try settings.info(for: key))
      }
      guard let before, let value else { return nil }
      guard before == after else { continue }
      let time = try calling { () throws(SatchelError) in try before.time.rfc3339() }
      return [
        value.type.name, String(before.revision), time, String(before.uid), String(before.pid),
        before.program.isEmpty ? "-" : Escape.word(before.program), try line(key, value),
      ]
    }
  }

  // MARK: Helpers

  private func isWanted(_ key: String) -> Bool { key.utf8.starts(with: prefix) }

  private func end(_ output: inout Output) throws(Failure) {
    output.add(arguments.has(.null) ? 0 : UInt8(ascii: "\n"))
    try output.flushIfLarge()
  }

  private func printJSON(_ value: Value, _ output: inout Output) throws(Failure) {
    output.add(try calling { () throws(SatchelError) in try JSON.format(value, pretty: false) } + "\n")
  }
}
