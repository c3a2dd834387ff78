/// What the line above an entry says, in this order.
public struct ConsoleHeader: OptionSet, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let date = ConsoleHeader(rawValue: 1)
  /// The name of the thread, in brackets; empty ones where it has none.
  public static let thread = ConsoleHeader(rawValue: 2)
  /// The file, without its folders, and the line. Both have to be known.
  public static let source = ConsoleHeader(rawValue: 4)
  public static let function = ConsoleHeader(rawValue: 8)
  /// In front of everything else.
  public static let category = ConsoleHeader(rawValue: 16)

  public static let all: ConsoleHeader = [.date, .thread, .source, .function, .category]
  /// Who looks at a console knows what time it is.
  public static let console: ConsoleHeader = [.thread, .source, .function]
}
