extension OrderedDictionary {
  /// How many entries there are. O(1).
  @inlinable
  public var count: Int { read { $0.live.count } ?? 0 }

  /// Whether there is none. O(1).
  @inlinable
  public var isEmpty: Bool { count == 0 }

  /// How many entries find room before memory is asked for again, as long as none is removed. O(1).
  @inlinable
  public var capacity: Int {
    read { table in
      let room = table.live.capacity - table.live.end + table.live.count
      return Swift.min(room, Swift.max(table.slots.limit, Table.scanLimit))
    } ?? 0
  }

  /// Whether the key is there. O(1).
  @inlinable
  public func contains(key: Key) -> Bool { read { $0.find(key).isFound } ?? false }

  /// The position of a key, from 0, or nil. O(1) without holes, else O(log n).
  @inlinable
  public func position(of key: Key) -> Int? {
    read { table in
      let index = table.find(key).index
      return index < 0 ? nil : table.live.position(of: index)
    } ?? nil
  }

  /// The search for a key; valid until the table changes.
  @inlinable @inline(__always)
  func find(_ key: Key) -> Table.Finding { read { $0.find(key) } ?? .nowhere }

  /// The place of the entry at a position, which has to be one.
  @inlinable @inline(__always)
  func place(at position: Int) -> Int {
    precondition(position >= 0 && position < count, "no entry at this position")
    return read { $0.live.place(at: position) } ?? 0
  }
}
