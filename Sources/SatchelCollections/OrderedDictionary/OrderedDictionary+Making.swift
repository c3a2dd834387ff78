extension OrderedDictionary {
  /// Of the pairs, in their order. O(n).
  @inlinable
  public init(_ pairs: some Sequence<(key: Key, value: Value)>) {
    self.init(minimumCapacity: pairs.underestimatedCount)
    for (key, value) in pairs { updateValue(value, forKey: key) }
  }

  /// Of the pairs, in their order. O(n).
  @inlinable
  public init(_ pairs: some Sequence<(Key, Value)>) {
    self.init(minimumCapacity: pairs.underestimatedCount)
    for (key, value) in pairs { updateValue(value, forKey: key) }
  }

  /// The same as `init(_:)`, under the name that `Dictionary` gives it. A key that comes again is no error. O(n).
  @inlinable
  public init(uniqueKeysWithValues pairs: some Sequence<(Key, Value)>) { self.init(pairs) }

  /// The same as `init(_:)`, under the name that `Dictionary` gives it. A key that comes again is no error. O(n).
  @inlinable
  public init(uniqueKeysWithValues pairs: some Sequence<(key: Key, value: Value)>) { self.init(pairs) }

  /// Of keys and the values that stand at the same positions; ends with the shorter of both. O(n).
  @inlinable
  public init(keys: some Sequence<Key>, values: some Sequence<Value>) { self.init(zip(keys, values)) }

  /// Of the pairs, in their order; of those with the same key, what `combine` makes of the value so far and the new one. O(n).
  @inlinable
  public init(
    _ pairs: some Sequence<(Key, Value)>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    self.init(minimumCapacity: pairs.underestimatedCount)
    try merge(pairs, uniquingKeysWith: combine)
  }

  /// The elements that have the same key, together in an array; keys in the order in which they first came. O(n).
  @inlinable
  public init<Elements: Sequence>(
    grouping elements: Elements, by key: (Elements.Element) throws -> Key
  ) rethrows where Value == [Elements.Element] {
    self.init()
    for element in elements { self[try key(element), default: []].append(element) }
  }

  /// The elements that have the same key, together in a collection of whichever type is wanted. O(n).
  @inlinable
  public init<Elements: Sequence>(
    grouping elements: Elements, by key: (Elements.Element) throws -> Key
  ) rethrows where Value: RangeReplaceableCollection, Value.Element == Elements.Element {
    self.init()
    for element in elements { self[try key(element), default: Value()].append(element) }
  }
}

extension OrderedDictionary: ExpressibleByDictionaryLiteral {
  /// In the order written. A key that is written again is no error. O(n).
  @inlinable
  public init(dictionaryLiteral elements: (Key, Value)...) { self.init(elements) }
}
