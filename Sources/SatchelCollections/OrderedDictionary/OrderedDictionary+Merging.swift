extension OrderedDictionary {
  /// Puts the pairs; new keys go to the end, for an existing one `combine` makes one value of the value so far and the new one. What
  /// was put before it threw stays. O(m).
  @inlinable
  public mutating func merge(
    _ other: some Sequence<(Key, Value)>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    for (key, value) in other { try put(value, forKey: key, combine) }
  }

  /// Puts the pairs; new keys go to the end, for an existing one `combine` makes one value of the value so far and the new one. What
  /// was put before it threw stays. O(m).
  @inlinable
  public mutating func merge(
    _ other: some Sequence<(key: Key, value: Value)>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    for (key, value) in other { try put(value, forKey: key, combine) }
  }

  /// This dictionary, with the pairs merged into it. O(n + m).
  @inlinable
  public func merging(
    _ other: some Sequence<(Key, Value)>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows -> Self {
    var result = self
    try result.merge(other, uniquingKeysWith: combine)
    return result
  }

  /// This dictionary, with the pairs merged into it. O(n + m).
  @inlinable
  public func merging(
    _ other: some Sequence<(key: Key, value: Value)>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows -> Self {
    var result = self
    try result.merge(other, uniquingKeysWith: combine)
    return result
  }

  @inlinable
  mutating func put(_ value: Value, forKey key: Key, _ combine: (Value, Value) throws -> Value) rethrows {
    let finding = find(key)
    guard finding.isFound else {
      append(key, value, finding)
      return
    }
    try change { table in
      let combined = try combine(table.entries[finding.index].value, value)
      let old = exchange(&table.entries[finding.index].value, with: combined)
      withExtendedLifetime(old) {}
    }
  }
}

extension OrderedDictionary {
  /// The entries for which the closure is true, in their order. O(n).
  @inlinable
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> Self {
    var result = Self()
    for element in self where try isIncluded(element) { result.updateValue(element.value, forKey: element.key) }
    return result
  }

  /// The same keys, with what the closure makes of each value. O(n).
  @inlinable
  public func mapValues<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> OrderedDictionary<Key, NewValue>
  {
    var result = OrderedDictionary<Key, NewValue>(minimumCapacity: count)
    for (key, value) in self { result.updateValue(try transform(value), forKey: key) }
    return result
  }

  /// The keys for whose values the closure makes something, with that. O(n).
  @inlinable
  public func compactMapValues<NewValue>(
    _ transform: (Value) throws -> NewValue?
  ) rethrows -> OrderedDictionary<Key, NewValue> {
    var result = OrderedDictionary<Key, NewValue>()
    for (key, value) in self { if let new = try transform(value) { result.updateValue(new, forKey: key) } }
    return result
  }
}
