extension OrderedDictionary: RandomAccessCollection {
  /// Where an entry stands. A type of its own, because a plain integer may be a key.
  public struct Index: Comparable, Hashable, Sendable {
    /// From 0.
    public let position: Int

    @inlinable
    public init(position: Int) { self.position = position }

    @inlinable
    public static func < (left: Index, right: Index) -> Bool { left.position < right.position }
  }

  @inlinable
  public var startIndex: Index { Index(position: 0) }

  @inlinable
  public var endIndex: Index { Index(position: count) }

  @inlinable
  public func index(after index: Index) -> Index { Index(position: index.position + 1) }

  @inlinable
  public func index(before index: Index) -> Index { Index(position: index.position - 1) }

  @inlinable
  public func index(_ index: Index, offsetBy distance: Int) -> Index { Index(position: index.position + distance) }

  @inlinable
  public func distance(from start: Index, to end: Index) -> Int { end.position - start.position }

  /// The entry at an index, which has to be one. O(1) without holes, else O(log n).
  @inlinable
  public subscript(index: Index) -> Element { elements[index.position] }

  /// The index of a key, or nil. O(1) without holes, else O(log n).
  @inlinable
  public func index(forKey key: Key) -> Index? { position(of: key).map { Index(position: $0) } }

  /// All entries, when they stand side by side: where nothing was removed or moved, or since `compact()`. O(1).
  @inlinable
  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    guard let storage else { return try body(UnsafeBufferPointer(start: nil, count: 0)) }
    return try storage.withUnsafeMutablePointerToHeader { pointer in
      let table = pointer.pointee
      guard table.live.isDense else { return nil }
      return try body(UnsafeBufferPointer(start: table.entries + table.live.head, count: table.live.count))
    }
  }
}

extension OrderedDictionary {
  /// The entries in order, as they were when it was made. Each step is O(1), over holes too.
  public struct Iterator: IteratorProtocol {
    /// Keeps the entries alive.
    @usableFromInline let storage: Storage?
    @usableFromInline let entries: UnsafeMutablePointer<Element>?
    /// Without holes: the next place, and the one behind the last.
    @usableFromInline var index = 0
    @usableFromInline var end = 0
    /// With holes.
    @usableFromInline var places: LiveMap.Iterator?

    @inlinable
    init(_ storage: Storage?) {
      self.storage = storage
      let table = storage?.withUnsafeMutablePointerToHeader { $0.pointee }
      entries = table?.entries
      guard let live = table?.live else { return }
      if live.isDense { (index, end) = (live.head, live.end) } else { places = live.makeIterator() }
    }

    @inlinable @inline(__always)
    public mutating func next() -> Element? {
      if index < end {
        defer { index &+= 1 }
        return element(at: index)
      }
      return places?.next().map { element(at: $0) }
    }

    @inlinable @inline(__always)
    func element(at index: Int) -> Element { withExtendedLifetime(storage) { entries.unsafelyUnwrapped[index] } }
  }

  @inlinable
  public func makeIterator() -> Iterator { Iterator(storage) }
}

extension OrderedDictionary.Iterator: @unchecked Sendable where Key: Sendable, Value: Sendable {}
