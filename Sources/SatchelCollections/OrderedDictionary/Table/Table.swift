extension OrderedDictionary {
  /// The dictionary itself: entries in order, with holes; which places are taken; and where each key stands.
  ///
  /// Up to `scanLimit` entries there are no slots: comparing a few keys is faster than hashing one.
  @usableFromInline
  struct Table {
    @usableFromInline typealias Element = OrderedDictionary.Element

    @usableFromInline var slots = SlotTable()
    @usableFromInline var live: LiveMap
    @usableFromInline var entries: UnsafeMutablePointer<Element>

    @inlinable static var scanLimit: Int { 8 }
    @inlinable static var fewest: Int { 4 }
    /// A slot holds the place plus one in 32 bits.
    @inlinable static var capacityLimit: Int { Int(UInt32.max) - 1 }

    @inlinable
    init(capacity: Int) {
      (live, entries) = Self.allocate(capacity: Swift.max(capacity, Self.fewest))
      if capacity > Self.scanLimit { slots.reset(for: capacity) }
    }

    @inlinable
    init(slots: SlotTable, live: LiveMap, entries: UnsafeMutablePointer<Element>) {
      self.slots = slots
      self.live = live
      self.entries = entries
    }

    /// One piece of memory for the map and the entries.
    @inlinable
    static func allocate(capacity: Int) -> (LiveMap, UnsafeMutablePointer<Element>) {
      precondition(capacity <= capacityLimit, "an ordered dictionary holds at most 2^32 - 2 entries")
      let start = Self.entriesOffset(capacity: capacity)
      let size = start + capacity * MemoryLayout<Element>.stride
      let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.alignment)
      let entries = (memory + start).bindMemory(to: Element.self, capacity: capacity)
      return (LiveMap(in: memory, capacity: capacity), entries)
    }

    @inlinable static var alignment: Int {
      Swift.max(MemoryLayout<Element>.alignment, MemoryLayout<UInt64>.alignment)
    }

    @inlinable
    static func entriesOffset(capacity: Int) -> Int {
      (LiveMap.byteCount(capacity: capacity) + alignment - 1) & -alignment
    }

    @inlinable
    func destroy() {
      if live.isDense {
        (entries + live.head).deinitialize(count: live.count)
      } else {
        for index in live { (entries + index).deinitialize(count: 1) }
      }
      live.words.deallocate()
      var slots = slots
      slots.release()
    }

    /// All of it at the same places, in memory of its own.
    @inlinable
    func copy() -> Table {
      var (map, target) = Self.allocate(capacity: live.capacity)
      map.copy(live)
      if live.isDense {
        (target + live.head).initialize(from: entries + live.head, count: live.count)
      } else {
        for index in live { (target + index).initialize(to: entries[index]) }
      }
      return Table(slots: slots.copy(), live: map, entries: target)
    }
  }
}
