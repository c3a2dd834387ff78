import CSatchelSystem
import Glibc

// Each writes a record of its own kind, severity alert, which is in a file when the policy comes into effect.

extension Logger {
  /// What becomes of the program when an assertion fails; for all categories of the log, in this process.
  public var assertionPolicy: AssertionPolicy {
    get { directory.assertions.policy }
    nonmutating set { directory.assertions.policy = newValue }
  }

  /// Fails where `condition` is false. The message is made only then. Nothing is evaluated where the policy is `ignore`.
  public func assert(
    _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String = "", file: StaticString = #fileID,
    function: StaticString = #function, line: UInt32 = #line
  ) {
    guard isAsserting, !condition() else { return }
    fail("assertion failed", message(), file, function, line)
  }

  /// The same for a condition that has effects: it is always evaluated, and the answer is what it is.
  @discardableResult
  public func verify(
    _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String = "", file: StaticString = #fileID,
    function: StaticString = #function, line: UInt32 = #line
  ) -> Bool {
    if condition() { return true }
    if isAsserting { fail("verification failed", message(), file, function, line) }
    return false
  }

  /// Fails always.
  public func unreachable(
    _ message: @autoclosure () -> String = "", file: StaticString = #fileID, function: StaticString = #function,
    line: UInt32 = #line
  ) {
    guard isAsserting else { return }
    fail("reached what cannot be reached", message(), file, function, line)
  }

  /// Fails always: for methods that every subclass has to have.
  public func mustBeOverridden(
    by type: Any.Type? = nil, file: StaticString = #fileID, function: StaticString = #function, line: UInt32 = #line
  ) {
    guard isAsserting else { return }
    fail("\(function) must be overridden", type.map { "by \($0)" } ?? "", file, function, line)
  }

  /// Fails on any thread but the first one of the process.
  public func assertOnMainThread(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt32 = #line
  ) {
    guard isAsserting, !Logger.isOnMainThread else { return }
    fail("not on the main thread", "", file, function, line)
  }

  /// Fails on the first thread of the process.
  public func assertInBackground(
    file: StaticString = #fileID, function: StaticString = #function, line: UInt32 = #line
  ) {
    guard isAsserting, Logger.isOnMainThread else { return }
    fail("on the main thread", "", file, function, line)
  }

  /// The thread that the process began with. In a forked child it is the one that goes on there.
  public static var isOnMainThread: Bool { scs_thread_id() == UInt32(bitPattern: getpid()) }

  /// Whether conditions are to be evaluated.
  public var isAsserting: Bool { directory.assertions.isActive }

  /// For other languages: they have their own words for what they expected.
  public func fail(_ words: UnsafeRawBufferPointer, at site: CallSite) -> Answer {
    guard isAsserting else { return .disabled }
    let answer = log(.alert, bytes: words, at: site, kind: .assertion)
    directory.assertions.policy.apply {
      AssertionFailure(
        message: String(decoding: words, as: UTF8.self), file: String(decoding: site.file, as: UTF8.self),
        function: String(decoding: site.function, as: UTF8.self), line: site.line)
    }
    return answer
  }

  @inline(never)
  private func fail(
    _ what: String, _ message: String, _ file: StaticString, _ function: StaticString, _ line: UInt32
  ) {
    var words = message.isEmpty ? what : what + ": " + message
    words.withUTF8 { words in
      CallSite.with(file, function, line) { _ = fail(UnsafeRawBufferPointer(words), at: $0) }
    }
  }
}

extension AssertionPolicy {
  fileprivate func apply(_ failure: () -> AssertionFailure) {
    switch self {
    case .log, .ignore: return
    case .abort: Glibc.abort()
    case .call(let body):
      let depths = scs_my_depths().unsafelyUnwrapped
      guard depths.pointee.assertions == 0 else { return }
      depths.pointee.assertions += 1
      defer { depths.pointee.assertions -= 1 }
      body(failure())
    }
  }
}
