import Glibc
import SatchelSystem

// Room: more places, more slots, and the same entries in fewer places. Each either happens or leaves everything as it was.

extension UnsafeMutablePointer where Pointee == ByteTable {
  /// Called where the last place has been given away.
  @inline(never)
  func makePlace() -> SatchelError.Code? {
    guard !pointee.isDying else { return .invalid }
    let room = pointee.live.capacity
    return pointee.count * 2 <= room ? rearrange(room: room, front: 0) : addPlaces(room / 2)
  }

  private func addPlaces(_ more: Int) -> SatchelError.Code? {
    let room = min(pointee.live.capacity + more, ByteTable.mostPlaces)
    guard var live = LiveMap(room: room) else { return .noMemory }
    guard let entries = realloc(pointee.entries, room * MemoryLayout<ByteEntry>.stride) else {
      free(live.words)
      return .noMemory
    }
    pointee.entries = entries.assumingMemoryBound(to: ByteEntry.self)
    live.copy(pointee.live)
    free(pointee.live.words)
    pointee.live = live
    return nil
  }

  /// Called where the slots are as full as they may be.
  @inline(never)
  func makeSlots() -> SatchelError.Code? { resizeSlots(for: pointee.count + 1) }

  private func resizeSlots(for count: Int) -> SatchelError.Code? {
    let areFirst = pointee.slots.isAbsent
    guard pointee.slots.resize(for: count) else { return .noMemory }
    if areFirst {
      forEachPlace { place in
        let entry = pointee.entries + place
        entry.pointee.tag = tag(entry.pointee.key, entry.pointee.count)
        enter(place, entry.pointee.tag)
      }
    }
    return nil
  }

  /// O(count).
  public func reserve(_ count: Int) -> SatchelError.Code? {
    guard !pointee.isDying else { return .invalid }
    guard count <= ByteTable.limit else { return .range }
    let places = count - pointee.count - (pointee.live.capacity - pointee.live.end)
    if places > 0, let code = addPlaces(places) { return code }
    return count > slotRoom ? resizeSlots(for: count) : nil
  }

  /// Gives back what is not needed. O(n).
  public func compact() -> SatchelError.Code? {
    guard !pointee.isDying else { return .invalid }
    if let code = rearrange(room: max(ByteTable.fewest, pointee.count), front: 0) { return code }
    if pointee.slots.isAbsent { return nil }
    if pointee.count > ByteTable.fewest { return resizeSlots(for: pointee.count) }
    pointee.slots.release()
    return nil
  }

  /// Puts all entries, in their order, into the places from `front` on. O(room).
  func rearrange(room: Int, front: Int) -> SatchelError.Code? {
    let isInPlace = room == pointee.live.capacity && front == 0
    let old = Arrays(entries: pointee.entries, live: pointee.live)
    guard var new = isInPlace ? old : Arrays(room: room) else { return .noMemory }
    let count = pointee.count
    old.live.countBeforeWords()
    renumberCursors { $0 < old.live.end ? old.live.packedPosition(of: $0) + front : count + front }
    pointee.slots.renumber(packing: old.live, from: front)
    var to = front
    forEachPlace { place in
      new.entries[to] = old.entries[place]
      to += 1
    }
    new.live.fill(from: front, count: count)
    if !isInPlace { old.free() }
    adopt(new)
    pointee.epoch &+= 1
    pointee.untouched = to
    check()
    return nil
  }
}

extension ByteTable {
  /// What half of a slot can name.
  fileprivate static var mostPlaces: Int { Int(UInt32.max) - 1 }
}
