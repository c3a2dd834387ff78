extension OrderedDictionary.Table {
  /// Makes at least one place free at one of the ends, and holes go: while more than half of the places are taken the array grows
  /// by half, else it is packed as it is. Either pays for itself over the many entries that come before the next time.
  @inlinable @inline(never)
  mutating func makeRoom(atStart: Bool) {
    let capacity = isHalfTaken ? grownCapacity : live.capacity
    precondition(live.count < capacity, "an ordered dictionary holds at most 2^32 - 2 entries")
    // Room at the start is half of what is free, so that one who adds at both ends does not move everything each time.
    pack(capacity: capacity, from: atStart ? (capacity - live.count + 1) / 2 : 0)
  }

  @inlinable var isHalfTaken: Bool { live.count * 2 > live.capacity }
  @inlinable var grownCapacity: Int { Swift.min(live.capacity + live.capacity / 2 + 2, Self.capacityLimit) }

  /// Closes all holes. The first entry is at `head` then. O(capacity + slots), in place where the capacity stays.
  @inlinable
  mutating func pack(capacity: Int, from head: Int) {
    slots.renumber(packing: live, from: head)
    let old = live
    if capacity == live.capacity, head <= live.head {
      movePacked(to: entries + head)
      live.fill(from: head, count: old.count)
    } else {
      let (map, target) = Self.allocate(capacity: capacity)
      movePacked(to: target + head)
      (live, entries) = (map, target)
      live.fill(from: head, count: old.count)
      old.words.deallocate()
    }
  }

  /// Within the same array no target stands behind its source.
  @inlinable
  func movePacked(to target: UnsafeMutablePointer<Element>) {
    guard !live.isDense else {
      target.moveInitialize(from: entries + live.head, count: live.count)
      return
    }
    var target = target
    for index in live {
      if target != entries + index { target.moveInitialize(from: entries + index, count: 1) }
      target += 1
    }
  }

  /// All entries side by side, so that positions and places differ by `head` only. O(1) when they are, else O(n).
  @inlinable
  mutating func closeHoles() {
    if !live.isDense { pack(capacity: live.capacity, from: 0) }
  }

  /// Room for that many entries in all, without another allocation.
  @inlinable
  mutating func reserve(_ count: Int) {
    if count - live.count > live.capacity - live.end { pack(capacity: Swift.max(count, grownCapacity), from: 0) }
    guard count > Swift.max(slots.limit, Self.scanLimit) else { return }
    if slots.isAbsent { rehash(for: count) } else { slots.grow(for: count) }
  }

  /// Gives back what is not needed, as far as that is worth it.
  @inlinable
  mutating func shrink() {
    pack(capacity: Swift.max(live.count, Self.fewest), from: 0)
    guard live.count <= slots.limit / 2 else { return }
    if live.count > Self.scanLimit { slots.grow(for: live.count) } else { slots.release() }
  }
}

extension OrderedDictionary.Table {
  /// What a table with that room takes, without its slots: the object, the map, the entries.
  @inlinable
  static func byteCount(capacity: Int) -> Int {
    let capacity = Swift.max(capacity, fewest)
    return 128 + entriesOffset(capacity: capacity) + capacity * MemoryLayout<Element>.stride
  }

  /// What a copy takes.
  @inlinable
  var byteCount: Int { Self.byteCount(capacity: live.capacity) + slots.byteCount }

  /// What the next new key takes.
  @inlinable
  var byteCountOfGrowth: Int {
    let entries = live.end == live.capacity && isHalfTaken ? Self.byteCount(capacity: grownCapacity) : 0
    let needsSlots = live.count >= Swift.max(slots.limit, Self.scanLimit)
    return entries + (needsSlots ? SlotTable.byteCount(for: live.count + 1) : 0)
  }
}
