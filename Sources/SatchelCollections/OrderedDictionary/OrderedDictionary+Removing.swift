extension OrderedDictionary {
  /// Removes a key; the others keep their order. Returns what was there. O(1).
  @inlinable @inline(__always)
  @discardableResult
  public mutating func removeValue(forKey key: Key) -> Value? {
    let finding = find(key)
    guard finding.isFound else { return nil }
    return change { $0.remove(finding) }.value
  }

  /// Removes the entry at a position, which has to be one; the others keep their order. O(1) without holes, else O(log n).
  @inlinable
  @discardableResult
  public mutating func remove(at position: Int) -> Element { remove(place: place(at: position)) }

  /// Removes the entry at an index, which has to be one. O(1) without holes, else O(log n).
  @inlinable
  @discardableResult
  public mutating func remove(at index: Index) -> Element { remove(at: index.position) }

  /// Removes the first entry, or returns nil when there is none. O(1).
  @inlinable
  @discardableResult
  public mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }

  /// Removes the last entry, or returns nil when there is none. O(1).
  @inlinable
  @discardableResult
  public mutating func popLast() -> Element? { isEmpty ? nil : removeLast() }

  /// Removes the first entry, of which there has to be one. O(1).
  @inlinable
  @discardableResult
  public mutating func removeFirst() -> Element {
    precondition(!isEmpty, "no first entry in an empty ordered dictionary")
    return remove(place: read { $0.live.head } ?? 0)
  }

  /// Removes the last entry, of which there has to be one. O(1).
  @inlinable
  @discardableResult
  public mutating func removeLast() -> Element {
    precondition(!isEmpty, "no last entry in an empty ordered dictionary")
    return remove(place: read { $0.live.end - 1 } ?? 0)
  }

  /// Removes that many entries from the start, at most all. O(k).
  @inlinable
  public mutating func removeFirst(_ number: Int) { for _ in 0..<Swift.min(number, count) { removeFirst() } }

  /// Removes that many entries from the end, at most all. O(k).
  @inlinable
  public mutating func removeLast(_ number: Int) { for _ in 0..<Swift.min(number, count) { removeLast() } }

  /// Removes the entries at the positions, which have to exist. O(k), and O(log n) to find the first where there are holes.
  @inlinable
  public mutating func removeSubrange(_ positions: some RangeExpression<Int>) {
    let positions = positions.relative(to: elements.indices)
    precondition(positions.lowerBound >= 0 && positions.upperBound <= count, "no entries at these positions")
    guard !positions.isEmpty else { return }
    var index = place(at: positions.lowerBound)
    for _ in positions {
      let next = read { $0.live.next(after: index) } ?? 0
      remove(place: index)
      index = next
    }
  }

  /// Removes every entry that the closure wants gone; the others keep their order. What it removed before it threw stays removed. O(n).
  @inlinable
  public mutating func removeAll(where shouldRemove: (Element) throws -> Bool) rethrows {
    guard !isEmpty else { return }
    var (index, end) = read { ($0.live.head, $0.live.end) } ?? (0, 0)
    while index < end {
      let (element, next) = change { ($0.entries[index], $0.live.next(after: index)) }
      if try shouldRemove(element) { remove(place: index) }
      index = next
    }
  }

  /// Removes everything. O(n), for letting go of keys and values.
  @inlinable
  public mutating func removeAll(keepingCapacity: Bool = false) {
    let capacity = keepingCapacity ? capacity : 0
    self = OrderedDictionary(minimumCapacity: capacity)
  }

  /// Takes out the entry at a place.
  @inlinable
  @discardableResult
  mutating func remove(place index: Int) -> Element { change { $0.remove($0.finding(at: index)) } }
}
