extension OrderedDictionary {
  /// The values in order. Writing through it (`dictionary.values[2] += 1`) changes them in place. O(1).
  @inlinable
  public var values: Values {
    get { Values(self) }
    _modify {
      var values = Values(self)
      storage = nil
      defer { storage = values.base.storage }
      yield &values
    }
  }

  /// A view of the values whose indices are positions.
  public struct Values: RandomAccessCollection, MutableCollection {
    @usableFromInline var base: OrderedDictionary

    @inlinable
    init(_ base: OrderedDictionary) { self.base = base }

    @inlinable
    public var startIndex: Int { 0 }

    @inlinable
    public var endIndex: Int { base.count }

    /// The value at a position, which has to be one. O(1) without holes, else O(log n).
    @inlinable
    public subscript(position: Int) -> Value {
      get {
        let index = base.place(at: position)
        return base.read { $0.entries[index].value }.unsafelyUnwrapped
      }
      _modify {
        let index = base.place(at: position)
        let entries = base.change { $0.entries }
        yield &entries[index].value
      }
    }

    /// Lets two values change their keys. Both positions have to exist. O(1) without holes, else O(log n).
    @inlinable
    public mutating func swapAt(_ first: Int, _ second: Int) {
      let (first, second) = (base.place(at: first), base.place(at: second))
      guard first != second else { return }
      base.change { swap(&$0.entries[first].value, &$0.entries[second].value) }
    }

    @inlinable
    public func makeIterator() -> Iterator { Iterator(base.makeIterator()) }

    public struct Iterator: IteratorProtocol {
      @usableFromInline var base: OrderedDictionary.Iterator

      @inlinable
      init(_ base: OrderedDictionary.Iterator) { self.base = base }

      @inlinable
      public mutating func next() -> Value? { base.next()?.value }
    }
  }
}

extension OrderedDictionary.Values: Equatable where Value: Equatable {
  /// The same values in the same order, whatever their keys. O(n).
  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    left.base.storage === right.base.storage || left.count == right.count && left.elementsEqual(right)
  }
}

extension OrderedDictionary.Values: Hashable where Value: Hashable {
  @inlinable
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for value in self { hasher.combine(value) }
  }
}

extension OrderedDictionary.Values: CustomStringConvertible {
  public var description: String { Array(self).description }
}

extension OrderedDictionary.Values: Sendable where Key: Sendable, Value: Sendable {}
extension OrderedDictionary.Values.Iterator: Sendable where Key: Sendable, Value: Sendable {}
