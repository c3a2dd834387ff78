extension OrderedDictionary: Equatable where Value: Equatable {
  /// The same keys with the same values in the same order. O(n).
  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    if left.storage === right.storage { return true }
    return left.count == right.count && zip(left, right).allSatisfy { $0.key == $1.key && $0.value == $1.value }
  }

  /// Whether both have the same keys with the same values, in whatever order. O(n).
  @inlinable
  public func isEqualIgnoringOrder(_ other: Self) -> Bool {
    if storage === other.storage { return true }
    return count == other.count && allSatisfy { other[$0.key] == $0.value }
  }
}

extension OrderedDictionary: Hashable where Value: Hashable {
  /// Agrees with `==`: another order is another hash. O(n).
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for (key, value) in self {
      hasher.combine(key)
      hasher.combine(value)
    }
  }
}
