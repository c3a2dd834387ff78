import CSatchelSystem
import SatchelLogging
import SatchelSystem

// Flags that several commands of logs share.
extension Flag {
  static let logFolder = Flag(
    "directory", "DIR", .folders, summary: "the folder of the files, instead of $XDG_STATE_HOME/satchel/logs/APP")
  static let level = Flag("level", "LEVEL", .choice(Severity.names), summary: "only what is at least as severe")
  static let since = Flag("since", "TIME", summary: "only what is not older: \(TimePoint.explanation)")
  static let until = Flag("until", "TIME", summary: "only what is older than TIME, which is written the same way")
  static let grep = Flag("grep", "RE", summary: "only lines that match an extended regular expression")
  static let fixed = Flag("fixed", letter: "F", summary: "with --grep: RE is text, to be found as it stands")
  static let ignoreCase = Flag("ignore-case", letter: "i", summary: "with --grep: upper and lower case are the same")
  static let field = Flag(
    "field", "NAME=VALUE", summary: "only records with this field; may be repeated: all have to be there")
  static let category = Flag("category", "NAME", summary: "only records of this category; may be repeated: one of them")
  static let pid = Flag("pid", "N", summary: "only records of this process; may be repeated: one of them")
  static let lines = Flag("lines", "N", letter: "n", summary: "only the last N lines")
  static let jsonLines = Flag("json", summary: "print JSON, an object a line")
  static let filters = [level, since, until, grep, fixed, ignoreCase, field, category, pid]
}

extension Severity {
  static let names = allCases.map { "\($0.name)" }

  /// The one after a flag that the table has checked.
  init(_ flag: Flag, _ arguments: Arguments, default fallback: Severity) {
    self = arguments.value(flag).flatMap { Severity(name: $0) } ?? fallback
  }
}

extension Arguments {
  /// The logs of all apps that are named.
  func places(from index: Int = 0) throws(Failure) -> [LogPlace] {
    var places: [LogPlace] = []
    for app in try texts(from: index) { places.append(try place(app)) }
    return places
  }

  func place(_ app: String) throws(Failure) -> LogPlace {
    do throws(SatchelError) { return try LogPlace(app: app, folder: value(.logFolder)) } catch {
      guard error.code == .notFound else { throw Failure(error) }
      throw Failure(.no, error.description, "satchel log files lists what there is")
    }
  }

  /// What the flags say of the lines that are wanted.
  func filter() throws(Failure) -> LogFilter {
    var filter = LogFilter()
    if has(.level) { filter.severities = .from(Severity(.level, self, default: .trace)) }
    filter.since = try time(.since)
    filter.until = try time(.until)
    filter.categories = values(.category).map { Array($0.utf8) }
    for text in values(.pid) {
      guard let pid = UInt32(text) else { throw Failure(.usage, "--pid: \"\(text)\" is no number of a process") }
      filter.pids.append(pid)
    }
    for text in values(.field) { filter.fields.append(try Arguments.field(text)) }
    if let text = value(.grep) {
      filter.pattern = try calling { () throws(SatchelError) in
        try LinePattern(text, isWords: has(.fixed), ignoresCase: has(.ignoreCase))
      }
    }
    return filter
  }

  private static func field(_ text: String) throws(Failure) -> LogEntry.Field {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { throw Failure(.usage, "--field: \"\(text)\" is not NAME=VALUE") }
    return LogEntry.Field(name: parts[0], typed: parts[1])
  }

  private func time(_ flag: Flag) throws(Failure) -> Int64? {
    guard let text = value(flag) else { return nil }
    guard let time = TimePoint.parse(text, now: scs_now_ns(), zone: Zone.system().rules) else {
      throw Failure(.usage, "--\(flag.name): \"\(text)\" is no time: \(TimePoint.explanation)")
    }
    return time
  }

  /// A length of time after a flag, in nanoseconds.
  func span(_ flag: Flag) throws(Failure) -> Int64? {
    guard let text = value(flag) else { return nil }
    guard let span = TimeSpan.parse(text) else {
      throw Failure(.usage, "--\(flag.name): \"\(text)\" is no length of time: \(TimeSpan.explanation)")
    }
    return span
  }
}
