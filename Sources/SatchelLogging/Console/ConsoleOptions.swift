/// How records are shown on the console of a program.
public struct ConsoleOptions: Sendable {
  public enum Stream: Int32, Sendable {
    case output = 1
    case error = 2
  }

  public var stream = Stream.error
  /// What the line above an entry says; nothing: there is no such line.
  public var header: ConsoleHeader = .console
  /// ASCII letters in the place of symbols.
  public var isASCII = false
  /// nil: as the environment (NO_COLOR, FORCE_COLOR, ...) and the stream say.
  public var hasColour: Bool?
  /// A blank line behind each entry.
  public var hasBlankLines = false

  public init() {}
}
