/// What becomes of a program whose assertion has failed. The failure is in the log's file by then, with every policy but `ignore`.
public enum AssertionPolicy: Sendable {
  /// It goes on.
  case log
  /// It ends, by SIGABRT.
  case abort
  /// Somebody is told, on the same thread, and then it goes on. An assertion that fails meanwhile is only logged.
  case call(@Sendable (AssertionFailure) -> Void)
  /// Conditions are not even evaluated, but those of `verify`.
  case ignore
}

/// What was expected, and where.
public struct AssertionFailure: Sendable {
  /// What the log says of it.
  public let message: String
  public let file: String
  public let function: String
  public let line: UInt32
}
