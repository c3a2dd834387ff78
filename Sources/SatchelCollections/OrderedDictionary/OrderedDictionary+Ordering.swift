extension OrderedDictionary {
  /// Makes a key the last one. False when it is not there. O(1) amortised.
  @inlinable
  @discardableResult
  public mutating func moveToEnd(_ key: Key) -> Bool {
    let finding = find(key)
    if finding.isFound { change { $0.moveToEnd(finding) } }
    return finding.isFound
  }

  /// Makes a key the first one. False when it is not there. O(1) amortised.
  @inlinable
  @discardableResult
  public mutating func moveToStart(_ key: Key) -> Bool {
    let finding = find(key)
    if finding.isFound { change { $0.moveToStart(finding) } }
    return finding.isFound
  }

  /// Moves the entry at one position to another; those between move by one. Both have to be positions. O(n).
  @inlinable
  public mutating func move(from source: Int, to target: Int) {
    precondition(source >= 0 && source < count && target >= 0 && target < count, "no entry at this position")
    change { $0.move(from: source, to: target) }
  }

  /// Puts a value under a new key at a position, `0 ... count`; those from there on move by one. False, and nothing changes, when
  /// the key is there. O(1) amortised at both ends, else O(n).
  @inlinable
  @discardableResult
  public mutating func insert(_ value: Value, forKey key: Key, at position: Int) -> Bool {
    precondition(position >= 0 && position <= count, "no entry can be at this position")
    let finding = find(key)
    guard !finding.isFound else { return false }
    change { $0.insert(key, value, at: position, finding) }
    return true
  }

  /// Puts a value; an existing key keeps its position, a new one goes to the one given. Returns what was there. O(1) amortised for
  /// existing keys and at both ends, else O(n).
  @inlinable
  @discardableResult
  public mutating func updateValue(_ value: Value, forKey key: Key, insertingAt position: Int) -> Value? {
    insert(value, forKey: key, at: position) ? nil : updateValue(value, forKey: key)
  }

  /// Lets two entries change their positions, which have to exist. O(1) without holes, else O(log n).
  @inlinable
  public mutating func swapAt(_ first: Int, _ second: Int) {
    let (first, second) = (place(at: first), place(at: second))
    guard first != second else { return }
    change { table in
      if !table.slots.isAbsent {
        let (one, other) = (table.finding(at: first).slot, table.finding(at: second).slot)
        table.slots.update(one, to: second)
        table.slots.update(other, to: first)
      }
      swap(&table.entries[first], &table.entries[second])
    }
  }

  /// Reverses the order. O(n).
  @inlinable
  public mutating func reverse() { rearrange { $0.reverse() } }

  /// Sorts by what the closure says comes first; entries of which neither does keep their order. When it throws, all entries
  /// are there, in any order. O(n log n).
  @inlinable
  public mutating func sort(by comesFirst: (Element, Element) throws -> Bool) rethrows {
    try rearrange { try $0.sort(by: comesFirst) }
  }

  /// Puts the entries in a random order. O(n).
  @inlinable
  public mutating func shuffle() {
    var generator = SystemRandomNumberGenerator()
    shuffle(using: &generator)
  }

  /// Puts the entries in a random order. O(n).
  @inlinable
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    rearrange { $0.shuffle(using: &generator) }
  }

  /// Puts the entries for which the closure is true behind the others, and returns the position of the first of them. O(n).
  @inlinable
  public mutating func partition(by belongsBehind: (Element) throws -> Bool) rethrows -> Int {
    try rearrange { try $0.partition(by: belongsBehind) }
  }

  @inlinable
  mutating func rearrange<Result>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    try change { try $0.rearrange(body) }
  }
}

extension OrderedDictionary where Key: Comparable {
  /// Sorts by keys. O(n log n).
  @inlinable
  public mutating func sort() { sort { $0.key < $1.key } }
}
