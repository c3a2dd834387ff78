import CSatchelSystem
import Glibc
import SatchelSystem

/// One thread at a time changes who listens to signals.
private struct SignalsLock: @unchecked Sendable {
  let word = Word.allocate()

  func holding<Result>(_ body: () -> Result) -> Result {
    ProcessLock.acquire(word)
    defer { ProcessLock.release(word) }
    return body()
  }
}
private let signals = SignalsLock()

extension Logger {
  /// From now on a signal that ends the program leaves a fatal record in this log: which one and why, where the thread was, and,
  /// where the flight recorder is on, what all threads did before. Then what was there before goes on: the former handler, or the
  /// end of the process with the same status and core.
  ///
  /// It is for the whole process; the last call counts. A thread that calls it can tell of its own stack overflow too: call it
  /// once in each thread that may have one.
  public func catchSignals(includingTermination: Bool = false) throws(SatchelError) {
    // Made at its first use, and so now: by the runtime too.
    _ = Console.options
    if let view = Producer.begin(state.pointee.owner, .info) { Producer.abandon(view) }
    let error = signals.holding {
      scs_catch_signals(state, includingTermination) { log, crash in
        guard let log, let crash else { return }
        Logger(handle: log).record(crash)
      }
    }
    if error != 0 { throw SatchelError(errno: error, "cannot listen to signals") }
  }

  /// Puts back what was there before, where nobody has put something else there since.
  public static func releaseSignals() { signals.holding { scs_release_signals() } }

  /// In the handler: nothing here allocates, or waits for what its own thread may hold.
  private func record(_ crash: UnsafePointer<scs_crash>) {
    let severity: Severity = crash.pointee.number == SIGTERM ? .alert : .fatal
    guard isEnabled(severity), let view = Producer.begin(state.pointee.owner, severity) else { return }
    var writer = RecordWriter(view)
    if state.pointee.longCategory != nil { writer.resume(writeCategory(view, writer.at)) }
    writer.text(.literal, crash.pointee.text, crash.pointee.size)
    writer.literal(.field, "signal")
    writer.text(.text, crash.pointee.name, strlen(crash.pointee.name))
    writer.literal(.field, "code")
    writer.word(.int, UInt64(bitPattern: Int64(crash.pointee.code)))
    Logger.address("address", crash.pointee.address, &writer)
    Logger.address("pc", crash.pointee.pc, &writer)
    Logger.address("sp", crash.pointee.sp, &writer)
    _ = finishLoudly(view, writer.at, severity, 0, RecordKind.message.rawValue, leads: false)
  }

  private static func address(_ name: StaticString, _ address: UInt64, _ writer: inout RecordWriter) {
    writer.literal(.field, name)
    writer.word(.pointer, address)
  }
}
