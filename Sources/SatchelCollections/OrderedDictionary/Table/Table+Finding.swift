extension OrderedDictionary.Table {
  /// What a search ended with: the place of the key, and what else it came by.
  @usableFromInline
  struct Finding {
    /// -1 when the key is not there.
    @usableFromInline var index: Int
    /// The key's slot, or the free one that ended the search. Without meaning where there are no slots, like `tag`.
    @usableFromInline var slot: Int
    @usableFromInline var tag: UInt32

    @inlinable
    init(index: Int, slot: Int, tag: UInt32) {
      self.index = index
      self.slot = slot
      self.tag = tag
    }

    /// In a dictionary that has no table yet.
    @inlinable static var nowhere: Finding { Finding(index: -1, slot: 0, tag: 0) }
    @inlinable var isFound: Bool { index >= 0 }
  }

  @inlinable @inline(__always)
  static func tag(of key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

  @inlinable @inline(__always)
  func find(_ key: Key) -> Finding {
    guard let words = slots.words else { return Finding(index: scan(key), slot: 0, tag: 0) }
    let tag = Self.tag(of: key)
    var slot = slots.home(of: tag)
    while true {
      let word = words[slot]
      if word == 0 { return Finding(index: -1, slot: slot, tag: tag) }
      if SlotTable.tag(word) == tag {
        let index = SlotTable.index(word)
        if entries[index].key == key { return Finding(index: index, slot: slot, tag: tag) }
      }
      slot = slots.slot(after: slot)
    }
  }

  /// Looks at each entry. -1 when the key is not there.
  @inlinable
  func scan(_ key: Key) -> Int {
    for index in live where entries[index].key == key { return index }
    return -1
  }

  /// What a search for the key at a place would find, without comparing keys.
  @inlinable
  func finding(at index: Int) -> Finding {
    guard !slots.isAbsent else { return Finding(index: index, slot: 0, tag: 0) }
    let tag = Self.tag(of: entries[index].key)
    return Finding(index: index, slot: slots.slot(of: index, tag: tag), tag: tag)
  }
}
