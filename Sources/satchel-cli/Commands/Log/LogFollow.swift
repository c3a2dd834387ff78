import CSatchelSystem
import Glibc
import SatchelLogging
import SatchelSystem

extension Flag {
  fileprivate static let before = Flag(
    "lines", "N", letter: "n", summary: "begin with the last N lines there are, instead of 10")
}

extension Command {
  static let logFollow = Command(
    id: .logFollow, summary: "print the lines of a log as they come",
    details: [
      "Begins with the last lines, and goes on until it is interrupted or nobody reads its output. It follows the log, not a file: "
        + "past midnight, past its rotation, and past files that others rename, remove or cut. It sleeps while nothing happens.",
      "Lines that come at once are ordered by their times. What a program that was killed has left in memory comes into the file "
        + "with the next record of another one, or when the log is shown.",
    ],
    operands: [Operand("APP", .some, .apps)],
    flags: Flag.filters + [.jsonLines, .before, .logFolder],
    examples: [Example("satchel log follow player --level warning", "tells when something goes wrong")],
    run: { arguments, output throws(Failure) in try LogFollowing(arguments).run(&output) })
}

private struct LogFollowing {
  let places: [LogPlace]
  let filter: LogFilter
  let renderer: EntryRenderer
  let limit: Int

  /// Where nothing is said, the lines to begin with are looked for in files of the last days only.
  private static let day: Int64 = 86_400_000_000_000

  init(_ arguments: Arguments) throws(Failure) {
    places = try arguments.places()
    filter = try arguments.filter()
    renderer = EntryRenderer.forStandardOutput(arguments.has(.jsonLines) ? .json : .text)
    let said = try arguments.number(.before).map { Int(clamping: $0) }
    limit = said ?? (filter.since == nil ? 10 : .max)
  }

  func run(_ output: inout Output) throws(Failure) -> ExitCode {
    for place in places { place.settle() }
    let since = filter.since ?? scs_now_ns() - LogFollowing.day
    let reader = try calling { () throws(SatchelError) in try LogReader(places, since: since, isFollowed: true) }
    let follower = try calling { () throws(SatchelError) in try LogFollower(places, behind: reader) }
    try printLast(of: reader, &output)
    repeat {
      for line in try calling({ () throws(SatchelError) in try follower.read() }) where filter.accepts(line) {
        output.add(renderer.render(line))
        try output.flushIfLarge()
      }
      try output.flush()
    } while follower.wait(output: STDOUT_FILENO)
    return .done
  }

  private func printLast(of reader: LogReader, _ output: inout Output) throws(Failure) {
    var last = LastLines(limit)
    while let line = reader.next() {
      if filter.accepts(line) { last.add(line) }
    }
    for line in last.lines { output.add(renderer.render(line)) }
  }
}
