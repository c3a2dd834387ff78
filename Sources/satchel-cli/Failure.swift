import SatchelSystem

/// Why the command stops: its exit code and what it says about it.
struct Failure: Error {
  let exit: ExitCode
  /// Lines for standard error, each written behind `satchel: `. None where the exit code says it all.
  var lines: [String]

  init(_ exit: ExitCode, _ lines: String...) {
    self.exit = exit
    self.lines = lines
  }

  /// A failure of the library, with a way out where there is one.
  init(_ error: SatchelError) {
    exit = ExitCode(error.code)
    lines = [error.description]
    if let hint = Self.hint(error) { lines.append(hint) }
  }

  func report() {
    for line in lines { Diagnostics.say(line) }
  }

  private static func hint(_ error: SatchelError) -> String? {
    switch error.code {
    case .timeout: "--timeout SECONDS waits longer"
    case .notFound where error.key == nil: "satchel domains lists them"
    case .version: "a newer satchel reads it"
    default: nil
    }
  }
}

/// Runs a call of the library; its error becomes a failure of the command.
func calling<R>(_ body: () throws(SatchelError) -> R) throws(Failure) -> R {
  do throws(SatchelError) { return try body() } catch { throw Failure(error) }
}
