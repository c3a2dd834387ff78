/// A key that a number makes, for tables under test.
public protocol ReplayKey: Hashable, Comparable, Sendable {
  init(number: Int)
}

extension Int: ReplayKey {
  public init(number: Int) { self = number }
}

extension String: ReplayKey {
  /// Long enough for memory of its own.
  public init(number: Int) { self = "settings.section.key.\(number)" }
}

/// Of all such keys only four hashes are made, so that most slots and all tags collide.
public struct CollidingKey: ReplayKey {
  let number: Int

  public init(number: Int) { self.number = number }

  public func hash(into hasher: inout Hasher) { hasher.combine(number & 3) }
  public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
