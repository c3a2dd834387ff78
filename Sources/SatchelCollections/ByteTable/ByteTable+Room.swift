import CSatchelSystem
import Glibc
import SatchelSystem

// Room: more places, more slots, and the same entries in fewer places. Each either happens or leaves everything as it was.

extension UnsafeMutablePointer where Pointee == ByteTable {
  /// Called where the last place has been given away.
  @inline(never)
  func makePlace() -> SatchelError.Code? {
    guard !pointee.isDying else { return .invalid }
    if pointee.count * 2 <= pointee.room { return rearrange(room: pointee.room, front: 0) }
    return addPlaces(pointee.room / 2)
  }

  private func addPlaces(_ more: Int) -> SatchelError.Code? {
    let room = min(pointee.room + more, ByteTable.mostPlaces)
    guard let entries = realloc(pointee.entries, room * MemoryLayout<ByteEntry>.stride) else { return .noMemory }
    pointee.entries = entries.assumingMemoryBound(to: ByteEntry.self)
    let (had, needed) = (ByteTable.words(pointee.room), ByteTable.words(room))
    if needed > had {
      guard let live = realloc(pointee.live, needed * 8) else { return .noMemory }
      pointee.live = live.assumingMemoryBound(to: UInt64.self)
      (pointee.live + had).update(repeating: 0, count: needed - had)
      dropRanks()
    }
    pointee.room = room
    return nil
  }

  /// Called where the slots are as full as they may be.
  @inline(never)
  func makeSlots() -> SatchelError.Code? { resizeSlots(max(16, (pointee.slotMask + 1) * 2)) }

  private func resizeSlots(_ size: Int) -> SatchelError.Code? {
    guard let memory = calloc(size, 8) else { return .noMemory }
    let old = pointee.slots
    let oldSize = old == nil ? 0 : pointee.slotMask + 1
    pointee.slots = memory.assumingMemoryBound(to: UInt64.self)
    pointee.slotMask = size - 1
    pointee.slotRoom = size / 4 * 3
    guard let old else {
      tagEntries()
      return nil
    }
    for p in 0..<oldSize where old[p] != 0 { putSlot(old[p]) }
    free(old)
    return nil
  }

  /// The first slots.
  private func tagEntries() {
    forEachPlace { i in
      pointee.entries[i].tag = tag(pointee.entries[i].key, pointee.entries[i].count)
      putSlot(ByteTable.slot(pointee.entries[i].tag, i))
    }
  }

  /// O(count).
  public func reserve(_ count: Int) -> SatchelError.Code? {
    guard !pointee.isDying else { return .invalid }
    guard count <= ByteTable.limit else { return .range }
    let places = count - pointee.count - (pointee.room - pointee.end)
    if places > 0, let code = addPlaces(places) { return code }
    return count > pointee.slotRoom ? resizeSlots(ByteTable.slotCount(for: count)) : nil
  }

  /// Gives back what is not needed. O(n).
  public func compact() -> SatchelError.Code? {
    guard !pointee.isDying else { return .invalid }
    if let code = rearrange(room: max(ByteTable.fewest, pointee.count), front: 0) { return code }
    if pointee.count <= ByteTable.fewest {
      free(pointee.slots)
      pointee.slots = nil
      pointee.slotMask = 0
      pointee.slotRoom = ByteTable.fewest
      return nil
    }
    let size = ByteTable.slotCount(for: pointee.count)
    return size <= pointee.slotMask ? resizeSlots(size) : nil
  }

  /// Puts all entries, in their order, into the places from `front` on. O(room).
  func rearrange(room: Int, front: Int) -> SatchelError.Code? {
    let words = ByteTable.words(pointee.room)
    guard let memory = malloc(words * 4) else { return .noMemory }
    defer { free(memory) }
    let isInPlace = room == pointee.room && front == 0
    let old = Arrays(entries: pointee.entries, live: pointee.live, room: pointee.room)
    guard let new = isInPlace ? old : Arrays(room: room) else { return .noMemory }
    // How many are live before each word.
    let before = memory.assumingMemoryBound(to: UInt32.self)
    var sum: UInt32 = 0
    for word in 0..<words {
      before[word] = sum
      sum += UInt32(old.live[word].nonzeroBitCount)
    }
    let end = pointee.end
    func moved(_ place: Int) -> Int {
      guard place < end else { return front + Int(sum) }
      let lower = old.live[place >> 6] & (1 << UInt64(place & 63) &- 1)
      return front + Int(before[place >> 6]) + lower.nonzeroBitCount
    }
    renumberSlots(moved)
    renumberCursors(moved)
    var to = front
    forEachPlace { i in
      new.entries[to] = old.entries[i]
      to += 1
    }
    if isInPlace { new.live.update(repeating: 0, count: words) } else { old.free() }
    adopt(new)
    pointee.head = front
    pointee.end = to
    markLive(front..<to)
    dropRanks()
    pointee.epoch &+= 1
    pointee.untouched = to
    check()
    return nil
  }

  @inline(__always)
  private func renumberSlots(_ moved: (Int) -> Int) {
    guard let slots = pointee.slots else { return }
    for p in 0...pointee.slotMask where slots[p] != 0 {
      slots[p] = ByteTable.slot(UInt32(truncatingIfNeeded: slots[p] >> 32), moved(ByteTable.index(slots[p])))
    }
  }

  private func markLive(_ places: Range<Int>) {
    var i = places.lowerBound
    while i < places.upperBound {
      let width = min(64 - i & 63, places.upperBound - i)
      pointee.live[i >> 6] |= (width == 64 ? ~0 : 1 << UInt64(width) - 1) << UInt64(i & 63)
      i += width
    }
  }
}

extension ByteTable {
  /// What half of a slot can name.
  fileprivate static let mostPlaces = Int(UInt32.max) - 1

  /// The smallest table of slots that so many entries fill to three quarters at most.
  fileprivate static func slotCount(for count: Int) -> Int {
    var size = 16
    while size / 4 * 3 < count { size *= 2 }
    return size
  }
}
