extension OrderedDictionary {
  /// The keys in order. O(1).
  @inlinable
  public var keys: Keys { Keys(self) }

  /// A view of the keys whose indices are positions.
  public struct Keys: RandomAccessCollection {
    @usableFromInline let base: OrderedDictionary

    @inlinable
    init(_ base: OrderedDictionary) { self.base = base }

    @inlinable
    public var startIndex: Int { 0 }

    @inlinable
    public var endIndex: Int { base.count }

    /// The key at a position, which has to be one. O(1) without holes, else O(log n).
    @inlinable
    public subscript(position: Int) -> Key {
      let index = base.place(at: position)
      return base.read { $0.entries[index].key }.unsafelyUnwrapped
    }

    /// Whether the key is there. O(1).
    @inlinable
    public func contains(_ key: Key) -> Bool { base.contains(key: key) }

    /// The position of a key, or nil. O(1) without holes, else O(log n).
    @inlinable
    public func firstIndex(of key: Key) -> Int? { base.position(of: key) }

    /// The position of a key, or nil. O(1) without holes, else O(log n).
    @inlinable
    public func lastIndex(of key: Key) -> Int? { base.position(of: key) }

    @inlinable
    public func makeIterator() -> Iterator { Iterator(base.makeIterator()) }

    public struct Iterator: IteratorProtocol {
      @usableFromInline var base: OrderedDictionary.Iterator

      @inlinable
      init(_ base: OrderedDictionary.Iterator) { self.base = base }

      @inlinable
      public mutating func next() -> Key? { base.next()?.key }
    }
  }
}

extension OrderedDictionary.Keys: Hashable {
  /// The same keys in the same order, whatever their values. O(n).
  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    left.base.storage === right.base.storage || left.count == right.count && left.elementsEqual(right)
  }

  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for key in self { hasher.combine(key) }
  }
}

extension OrderedDictionary.Keys: CustomStringConvertible {
  public var description: String { Array(self).description }
}

extension OrderedDictionary.Keys: Sendable where Key: Sendable, Value: Sendable {}
extension OrderedDictionary.Keys.Iterator: Sendable where Key: Sendable, Value: Sendable {}
