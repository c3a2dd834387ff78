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
