import CSatchelSystem
import SatchelLogging
import SatchelSystem

extension Flag {
  fileprivate static let olderThan = Flag(
    "older-than", "SPAN", summary: "only files of days that are longer ago: \(TimeSpan.explanation)")
  fileprivate static let all = Flag("all", summary: "the file that is written now too")
}

extension Command {
  static let logClear = Command(
    id: .logClear, summary: "remove files of a log",
    details: [
      "Removes the files of the log but for the one that is written now, without asking, and prints their names. With --all that "
        + "one goes too: programs that run begin a new one, and nothing that is not in a file yet is lost.",
      "Only regular files that are called as those of this app, and begin as one of its formats does, are ever removed.",
    ],
    operands: [.app], flags: [.olderThan, .all, .logFolder],
    examples: [Example("satchel log clear player --older-than 7d", "keeps a week")],
    run: { arguments, output throws(Failure) in try clear(arguments, &output) })

  private static func clear(_ arguments: Arguments, _ output: inout Output) throws(Failure) -> ExitCode {
    let place = try arguments.place(try arguments.text(0))
    let first = try firstDayToKeep(arguments)
    place.settle()
    let removal = try calling { () throws(SatchelError) in
      try place.inFolder { files throws(SatchelError) in
        let listing = try files.list()
        return files.remove(
          listing.files.reversed().filter {
            $0.isOurs && (arguments.has(.all) || $0.name != listing.active) && $0.name.date < first
          })
      }
    }
    for name in removal.removed { output.add(name.text + "\n") }
    guard let failure = removal.failed.first else { return .done }
    try output.flush()
    let error = SatchelError(errno: failure.error, "cannot remove", path: failure.name.text)
    throw Failure(ExitCode(error.code), "\(place.app): \(error.description)")
  }

  private static func firstDayToKeep(_ arguments: Arguments) throws(Failure) -> CivilDate {
    guard let span = try arguments.span(.olderThan) else { return CivilDate(year: 9999, month: 12, day: 31) }
    let time = max(scs_now_ns() - span, 0)
    return Zone.system().rules.day(at: time.floored(by: 1_000_000_000).quotient).date
  }
}
