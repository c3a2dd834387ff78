extension ValueDictionary: RandomAccessCollection {
  public typealias Element = (key: String, value: Value)

  public var startIndex: Int { 0 }
  public var endIndex: Int { entries.count }

  /// The entry at a position, `0 ..< count`. O(1).
  public subscript(position: Int) -> Element {
    let entry = entries[position]
    return (entry.key, entry.value)
  }
}

extension ValueDictionary: ExpressibleByDictionaryLiteral {
  /// In the order written; of two equal keys the later value stays, at the earlier place.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init()
    for (key, value) in elements { updateValue(value, forKey: key) }
  }
}

extension ValueDictionary: Hashable {
  /// The same keys with the same values in the same order.
  public static func == (left: ValueDictionary, right: ValueDictionary) -> Bool {
    left.count == right.count
      && zip(left, right).allSatisfy { $0.key.isSameBytes(as: $1.key) && $0.value == $1.value }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for (key, value) in self {
      key.hashBytes(into: &hasher)
      hasher.combine(value)
    }
  }
}
