extension OrderedDictionary {
  /// Room for that many entries in all, so that adding them asks for no memory. O(n).
  @inlinable
  public mutating func reserveCapacity(_ minimumCapacity: Int) {
    if minimumCapacity > capacity { change { $0.reserve(minimumCapacity) } }
  }

  /// Closes the holes and gives back memory that is not needed. Afterwards `withContiguousStorageIfAvailable` has the entries. O(n).
  @inlinable
  public mutating func compact() {
    if isEmpty { storage = nil } else { change { $0.shrink() } }
  }
}

extension OrderedDictionary {
  /// How many bytes of memory `init(minimumCapacity:)` asks for. Swift ends the process where there are none, so who takes the number
  /// from somebody else may want to know. O(1).
  @inlinable
  public static func byteCount(minimumCapacity: Int) -> Int {
    guard minimumCapacity > 0 else { return 0 }
    return Table.byteCount(capacity: minimumCapacity)
      + (minimumCapacity > Table.scanLimit ? SlotTable.byteCount(for: minimumCapacity) : 0)
  }

  /// How many bytes of memory the next new key asks for; 0 for most. `isShared`: copies share the contents, so that a change copies
  /// them first. O(1).
  @inlinable
  public func byteCountOfGrowth(isShared: Bool = false) -> Int {
    read { $0.byteCountOfGrowth + (isShared ? $0.byteCount : 0) } ?? Table.byteCount(capacity: 0)
  }
}
