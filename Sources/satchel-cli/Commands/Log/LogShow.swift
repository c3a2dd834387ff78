import Glibc
import SatchelLogging
import SatchelSystem

extension Flag {
  fileprivate static let reverse = Flag("reverse", letter: "r", summary: "print the newest line first")
  fileprivate static let format = Flag(
    "format", "FORMAT", .choice(FileFormat.names), summary: "the format; json where it is left out")
}

extension Command {
  static let logShow = Command(
    id: .logShow, summary: "print a log, oldest line first",
    details: [
      "Prints the lines of all files of the log by their times, those too that programs had to write beside the log, and "
        + "leaves out what is there twice. Lines that are no records, as another program may have written them, stay where "
        + "they are. With several apps their logs are merged.",
      "Colours are for terminals only; NO_COLOR=1 turns them off.",
    ],
    operands: [Operand("APP", .some, .apps)],
    flags: Flag.filters + [.jsonLines, .lines, .reverse, .logFolder],
    examples: [
      Example("satchel log show player --level warning --since 10m", "what went wrong in the last ten minutes"),
      Example("satchel log show player --grep 'lost|refused' -n 20", "the last twenty lines with one of these words"),
      Example("satchel log show player --json | jq .fields", "the fields of every record"),
    ],
    run: { arguments, output throws(Failure) in
      try LogListing(arguments, arguments.has(.jsonLines) ? .json : .text).run(&output)
    })

  static let logExport = Command(
    id: .logExport, summary: "print a log in one of its formats, whatever its files are in",
    details: [
      "The formats are those of the files: json is one object a line, logfmt names and values, text the readable lines. A line "
        + "that is no record becomes a message with the field foreign."
    ],
    operands: [Operand("APP", .some, .apps)], flags: [.format] + Flag.filters + [.lines, .logFolder],
    examples: [Example("satchel log export player --format logfmt > player.logfmt", "for another tool")],
    run: { arguments, output throws(Failure) in
      try LogListing(arguments, FileFormat(named: arguments.value(.format)) ?? .json).run(&output)
    })
}

extension FileFormat {
  static let names = ["json", "logfmt", "text"]

  init?(named name: String?) {
    switch name {
    case "json": self = .json
    case "logfmt": self = .logfmt
    case "text": self = .text
    default: return nil
    }
  }
}

private struct LogListing {
  let places: [LogPlace]
  let filter: LogFilter
  let renderer: EntryRenderer
  let isReversed: Bool
  let limit: Int?

  init(_ arguments: Arguments, _ format: FileFormat) throws(Failure) {
    places = try arguments.places()
    filter = try arguments.filter()
    renderer = EntryRenderer.forStandardOutput(format)
    isReversed = arguments.has(.reverse)
    limit = try arguments.number(.lines).map { Int(clamping: $0) }
  }

  func run(_ output: inout Output) throws(Failure) -> ExitCode {
    for place in places { place.settle() }
    let reader = try calling { () throws(SatchelError) in try LogReader(places, since: filter.since) }
    if limit != nil || isReversed { return try printLast(of: reader, &output) }
    while let line = reader.next() {
      guard filter.accepts(line) else { continue }
      output.add(renderer.render(line))
      try output.flushIfLarge()
    }
    return .done
  }

  /// The last lines, of which only so many are kept.
  private func printLast(of reader: LogReader, _ output: inout Output) throws(Failure) -> ExitCode {
    var last = LastLines(limit ?? .max)
    while let line = reader.next() {
      if filter.accepts(line) { last.add(line) }
    }
    for line in isReversed ? last.lines.reversed() : last.lines {
      output.add(renderer.render(line))
      try output.flushIfLarge()
    }
    return .done
  }
}

/// The last of many lines.
struct LastLines {
  private var kept: [LogLine] = []
  private var oldest = 0
  private let limit: Int

  init(_ limit: Int) { self.limit = limit }

  mutating func add(_ line: LogLine) {
    if kept.count < limit { return kept.append(line) }
    if limit == 0 { return }
    kept[oldest] = line
    oldest = (oldest + 1) % limit
  }

  var lines: [LogLine] { Array(kept[oldest...] + kept[..<oldest]) }
}

extension EntryRenderer {
  /// With colours where somebody sees them.
  static func forStandardOutput(_ format: FileFormat) -> EntryRenderer {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let hasColour = ColourChoice.hasColour(isTerminal: isTerminal) { name in getenv(name).map { String(cString: $0) } }
    return EntryRenderer(format, isForTerminal: isTerminal, hasColour: hasColour)
  }
}
