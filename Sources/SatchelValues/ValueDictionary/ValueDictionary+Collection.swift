import SatchelCollections

extension ValueDictionary: RandomAccessCollection {
  public typealias Element = (key: String, value: Value)

  public var startIndex: Int { 0 }
  public var endIndex: Int { entries.count }

  /// The entry at a position, `0 ..< count`. O(1) until something was removed, then O(log n).
  public subscript(position: Int) -> Element {
    let entry = entries.elements[position]
    return (entry.key.text, entry.value)
  }

  /// The entries in order, as they were when it was made. Each step is O(1).
  public struct Iterator: IteratorProtocol {
    private var entries: OrderedDictionary<ByteKey, Value>.Iterator

    fileprivate init(_ dictionary: ValueDictionary) { entries = dictionary.entries.makeIterator() }

    public mutating func next() -> Element? { entries.next().map { ($0.key.text, $0.value) } }
  }

  public func makeIterator() -> Iterator { Iterator(self) }
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
  public static func == (left: ValueDictionary, right: ValueDictionary) -> Bool { left.entries == right.entries }

  public func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}
