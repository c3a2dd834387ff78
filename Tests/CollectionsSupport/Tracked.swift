import Synchronization

/// A value that is counted, so that what is never let go of shows. One that is let go of twice traps.
public final class Tracked: Equatable, Sendable {
  public let number: Int
  private static let living = Atomic<Int>(0)

  public init(_ number: Int) {
    self.number = number
    Self.living.add(1, ordering: .relaxed)
  }

  deinit { Self.living.subtract(1, ordering: .relaxed) }

  /// How many there are in this process.
  public static var count: Int { living.load(ordering: .relaxed) }

  public static func == (left: Tracked, right: Tracked) -> Bool { left.number == right.number }
}
