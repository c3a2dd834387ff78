// One call for each severity. They are alike on purpose: what a call costs, it costs by being inlined where it stands.

extension Logger {
  /// How the program goes, step by step.
  @inlinable @inline(__always)
  public func trace(
    _ message: @autoclosure () -> LogMessage, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt32 = #line
  ) {
    guard isEnabled(.trace) else { return }
    write(.trace, message, file, function, line)
  }

  /// What helps to find a fault.
  @inlinable @inline(__always)
  public func debug(
    _ message: @autoclosure () -> LogMessage, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt32 = #line
  ) {
    guard isEnabled(.debug) else { return }
    write(.debug, message, file, function, line)
  }

  /// What goes on.
  @inlinable @inline(__always)
  public func info(
    _ message: @autoclosure () -> LogMessage, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt32 = #line
  ) {
    guard isEnabled(.info) else { return }
    write(.info, message, file, function, line)
  }

  /// What is worth being noticed.
  @inlinable @inline(__always)
  public func notice(
    _ message: @autoclosure () -> LogMessage, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt32 = #line
  ) {
    guard isEnabled(.notice) else { return }
    write(.notice, message, file, function, line)
  }

  /// Something may be wrong.
  @inlinable @inline(__always)
  public func warning(
    _ message: @autoclosure () -> LogMessage, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt32 = #line
  ) {
    guard isEnabled(.warning) else { return }
    write(.warning, message, file, function, line)
  }

  /// Something has failed.
  @inlinable @inline(__always)
  public func error(
    _ message: @autoclosure () -> LogMessage, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt32 = #line
  ) {
    guard isEnabled(.error) else { return }
    write(.error, message, file, function, line)
  }

  /// Somebody has to act. It is in a file when the call returns.
  @inlinable @inline(__always)
  public func alert(
    _ message: @autoclosure () -> LogMessage, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt32 = #line
  ) {
    guard isEnabled(.alert) else { return }
    write(.alert, message, file, function, line)
  }

  /// The program cannot go on. It is in a file when the call returns.
  @inlinable @inline(__always)
  public func fatal(
    _ message: @autoclosure () -> LogMessage, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt32 = #line
  ) {
    guard isEnabled(.fatal) else { return }
    write(.fatal, message, file, function, line)
  }
}
