import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SatchelLogging

/// What a policy was told.
private final class Told: Sendable {
  let failures = Mutex<[AssertionFailure]>([])
  var messages: [String] { failures.withLock { $0.map(\.message) } }
}

private class Backend {
  let log: Logger
  init(_ log: Logger) { self.log = log }
  func load() { log.mustBeOverridden(by: type(of: self)) }
}
private final class Forgetful: Backend {}

@Suite struct AssertionTests {
  @Test func aFailureIsInAFileWhenTheCallReturns() throws {
    let scratch = try ScratchLog()
    scratch.log.assert(1 + 1 == 3, "sums are \(1 + 1)")
    let entry = try #require(scratch.entriesInFiles.first)
    #expect(String(decoding: entry.message, as: UTF8.self) == "assertion failed: sums are 2")
    #expect(entry.kind == .assertion)
    #expect(entry.severity == .alert)
    #expect(String(decoding: entry.function ?? [], as: UTF8.self) == "aFailureIsInAFileWhenTheCallReturns()")
    #expect(entry.line > 0)
  }

  @Test func whatHoldsLeavesNothing() throws {
    let scratch = try ScratchLog()
    var made = 0
    func message() -> String {
      made += 1
      return ""
    }
    scratch.log.assert(true, message())
    let holds = scratch.log.verify(true, message())
    #expect(holds && made == 0)
    #expect(try scratch.entries().isEmpty)
  }

  @Test func eachSaysWhatItExpected() async throws {
    let scratch = try ScratchLog()
    let log = scratch.log
    #expect(!log.verify(false, "no"))
    log.unreachable()
    Forgetful(log).load()
    // The body of a test may run on any thread.
    if Logger.isOnMainThread { log.assertInBackground() } else { log.assertOnMainThread() }
    if Logger.isOnMainThread { log.assertOnMainThread() } else { log.assertInBackground() }
    let texts = try scratch.entries().map { String(decoding: $0.message, as: UTF8.self) }
    #expect(
      texts.prefix(3) == [
        "verification failed: no", "reached what cannot be reached", "load() must be overridden: by Forgetful",
      ])
    #expect(texts.count == 4 && texts[3].hasSuffix("on the main thread"))
  }

  @Test func aFunctionIsTold() throws {
    let scratch = try ScratchLog()
    let told = Told()
    let log = scratch.log
    log.assertionPolicy = .call { failure in
      // It is in the file by then.
      #expect(scratch.entriesInFiles.count == told.messages.count + 1)
      told.failures.withLock { $0.append(failure) }
      log.assert(false, "inside")
    }
    try log.category("net").assert(false, "outside")
    #expect(told.messages == ["assertion failed: outside"])
    let texts = try scratch.entries().map { String(decoding: $0.message, as: UTF8.self) }
    #expect(texts == ["assertion failed: outside", "assertion failed: inside"])
  }

  @Test func ignoredConditionsAreNotEvaluated() throws {
    let scratch = try ScratchLog()
    var evaluated = 0
    func fails() -> Bool {
      evaluated += 1
      return false
    }
    scratch.log.assertionPolicy = .ignore
    scratch.log.assert(fails())
    scratch.log.unreachable()
    #expect(evaluated == 0)
    #expect(!scratch.log.verify(fails()))
    #expect(evaluated == 1)
    #expect(try scratch.entries().isEmpty)
  }

  @Test func thePolicyHoldsWhereNobodyWantsTheRecord() throws {
    let scratch = try ScratchLog()
    let place = try LogDirectory.open(app: "test", path: scratch.folder.path)
    try place.setLevel([], category: "", for: nil)
    let told = Told()
    scratch.log.assertionPolicy = .call { failure in told.failures.withLock { $0.append(failure) } }
    scratch.log.assert(false, "quiet")
    #expect(told.messages == ["assertion failed: quiet"])
    #expect(scratch.entriesInFiles.isEmpty)
  }

  @Test func anAbortIsOne() throws {
    let scratch = try ScratchLog()
    scratch.log.assertionPolicy = .abort
    let log = scratch.log
    let child = fork()
    if child == 0 {
      var none = rlimit()
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
      log.assert(false, "the end")
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    #expect(status & 0x7f == SIGABRT)
    let entries = scratch.entriesInFiles.filter { $0.mark != .repeated }
    #expect(entries.map { String(decoding: $0.message, as: UTF8.self) } == ["assertion failed: the end"])
  }
}
