// The names are those of the C headers.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CSatchel
import Glibc
import Satchel
import SatchelLogging
import SatchelSystem

/// A function of the program, and what it is called with.
private struct FailureCallback: @unchecked Sendable {
  let function: satchel_log_on_failure
  let context: UnsafeMutableRawPointer?

  func callAsFunction(_ failure: AssertionFailure) {
    lend(failure.message) { message in
      lend(failure.file) { file in
        lend(failure.function) { name in
          var told = satchel_log_failure(message: message, file: file, function: name, line: failure.line, reserved: 0)
          function(&told, context)
        }
      }
    }
  }

  private func lend(_ text: String, _ body: (satchel_bytes) -> Void) {
    var text = text
    text.withUTF8 { body(satchel_bytes(data: $0.baseAddress, size: $0.count)) }
  }
}

@implementation @_cdecl("satchel_log_set_assert_policy")
public func satchel_log_set_assert_policy(
  _ log: UnsafeMutablePointer<satchel_log>?, _ policy: Int32, _ function: satchel_log_on_failure?,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let log else { return invalid("log is NULL") }
  let logger = Logger(handle: log)
  switch policy {
  case SATCHEL_LOG_ASSERT_LOG: logger.assertionPolicy = .log
  case SATCHEL_LOG_ASSERT_ABORT: logger.assertionPolicy = .abort
  case SATCHEL_LOG_ASSERT_IGNORE: logger.assertionPolicy = .ignore
  case SATCHEL_LOG_ASSERT_CALL:
    guard let function else { return invalid("function is NULL") }
    let callback = FailureCallback(function: function, context: context)
    logger.assertionPolicy = .call { callback($0) }
  default: return invalid("policy is none of SATCHEL_LOG_ASSERT_...")
  }
  return SATCHEL_OK
}

@implementation @_cdecl("satchel_log_asserts")
public func satchel_log_asserts(_ log: UnsafeMutablePointer<satchel_log>?) -> Int32 {
  guard let log else { return 1 }
  return Logger(handle: log).isAsserting ? 1 : 0
}

@implementation @_cdecl("satchel_log_assert_failed")
public func satchel_log_assert_failed(
  _ log: UnsafeMutablePointer<satchel_log>?, _ site: UnsafePointer<satchel_log_site>?, _ message: satchel_bytes
) -> Int32 {
  guard let log else { return invalid("log is NULL") }
  guard let bytes = message.buffer else { return invalid("the message is a range without bytes, or of an absurd size") }
  guard Memory.hasRoom(for: bytes.count * 4) else { return failed(.noMemory) }
  return code(Logger(handle: log).fail(bytes, at: CallSite(site)))
}

@implementation @_cdecl("satchel_log_on_main_thread")
public func satchel_log_on_main_thread() -> Int32 { Logger.isOnMainThread ? 1 : 0 }

@implementation @_cdecl("satchel_log_catch_signals")
public func satchel_log_catch_signals(_ log: UnsafeMutablePointer<satchel_log>?, _ flags: UInt32) -> Int32 {
  guard let log else { return invalid("log is NULL") }
  guard flags & ~SATCHEL_LOG_CATCH_TERMINATION == 0 else {
    return invalid("flags has a bit that is none of SATCHEL_LOG_CATCH_...")
  }
  return attempt { () throws(SatchelError) in
    try Logger(handle: log).catchSignals(includingTermination: flags & SATCHEL_LOG_CATCH_TERMINATION != 0)
  }
}

@implementation @_cdecl("satchel_log_release_signals")
public func satchel_log_release_signals() { Logger.releaseSignals() }
