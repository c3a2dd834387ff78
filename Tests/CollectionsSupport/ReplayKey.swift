/// A key that a number makes, for tables under test.
public protocol ReplayKey: Hashable, Comparable, Sendable {
  static func replayKey(_ number: Int) -> Self
}

extension Int: ReplayKey {
  public static func replayKey(_ number: Int) -> Int { number }
}

extension String: ReplayKey {
  /// Long enough for memory of its own.
  public static func replayKey(_ number: Int) -> String { "settings.section.key.\(number)" }
}

/// Of all such keys only four hashes are made, so that most slots and all tags collide.
public struct CollidingKey: ReplayKey {
  let number: Int

  public static func replayKey(_ number: Int) -> CollidingKey { CollidingKey(number: number) }

  public func hash(into hasher: inout Hasher) { hasher.combine(number & 3) }
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
