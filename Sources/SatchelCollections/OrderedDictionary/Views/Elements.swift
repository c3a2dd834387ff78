extension OrderedDictionary {
  /// The entries under plain positions from 0. O(1).
  @inlinable
  public var elements: Elements { Elements(self) }

  /// A view of the entries whose indices are positions.
  public struct Elements: RandomAccessCollection {
    @usableFromInline let base: OrderedDictionary

    @inlinable
    init(_ base: OrderedDictionary) { self.base = base }

    @inlinable
    public var startIndex: Int { 0 }

    @inlinable
    public var endIndex: Int { base.count }

    /// The entry at a position, which has to be one. O(1) without holes, else O(log n).
    @inlinable
    public subscript(position: Int) -> Element {
      let index = base.place(at: position)
      return base.read { $0.entries[index] }.unsafelyUnwrapped
    }

    @inlinable
    public func makeIterator() -> OrderedDictionary.Iterator { base.makeIterator() }
  }
}

extension OrderedDictionary.Elements: Equatable where Value: Equatable {
  /// The same entries in the same order. O(n).
  @inlinable
  public static func == (left: Self, right: Self) -> Bool { left.base == right.base }
}

extension OrderedDictionary.Elements: Hashable where Value: Hashable {
  @inlinable
  public func hash(into hasher: inout Hasher) { base.hash(into: &hasher) }
}

extension OrderedDictionary.Elements: CustomStringConvertible {
  public var description: String { base.description }
}

extension OrderedDictionary.Elements: Sendable where Key: Sendable, Value: Sendable {}
