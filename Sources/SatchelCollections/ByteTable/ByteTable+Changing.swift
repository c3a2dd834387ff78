import CSatchelSystem
import Glibc
import SatchelSystem

extension UnsafeMutablePointer where Pointee == ByteTable {
  // MARK: Setting

  /// The value of a pointer that the table shall own; nil where there is no memory for it.
  public func value(owning pointer: UnsafeMutableRawPointer?, _ owner: ByteOwner) -> ByteValue? {
    let common = pointee.owner ?? owner
    guard common.isSame(as: owner) else { return ByteValue(boxing: pointer, owner) }
    pointee.owner = common
    return ByteValue(kind: .owned, word: UInt64(UInt(bitPattern: pointer)))
  }

  /// Takes the value over, or fails and does not. O(1).
  public func set(_ key: UnsafeRawPointer, _ count: Int, _ value: ByteValue) -> SatchelError.Code? {
    let found = find(key, count)
    guard found.index >= 0 else { return append(key, count, found.tag, value) }
    let old = pointee.entries[found.index].value
    let owner = pointee.owner
    if old.kind == .table { pointee.nestedCount &-= 1 }
    adopt(value)
    pointee.entries[found.index].value = value
    check()
    old.release(owner)
    return nil
  }

  @inline(__always)
  private func adopt(_ value: ByteValue) {
    guard value.kind == .table else { return }
    value.table?.pointee.parent = self
    pointee.nestedCount &+= 1
  }

  @inline(__always)
  private func append(_ key: UnsafeRawPointer, _ count: Int, _ known: UInt32, _ value: ByteValue)
    -> SatchelError.Code?
  {
    guard pointee.count < ByteTable.limit else { return .full }
    if pointee.end == pointee.room, let code = makePlace() { return code }
    var tag = known
    if pointee.count == pointee.slotRoom {
      if let code = makeSlots() { return code }
      tag = self.tag(key, count)
    }
    guard let copy = malloc(count &+ 1) else { return .noMemory }
    memcpy(copy, key, count)
    copy.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
    let place = pointee.end
    pointee.entries[place] = ByteEntry(key: copy, count: count, tag: tag, value: value)
    putSlot(ByteTable.slot(tag, place))
    pointee.end = place &+ 1
    pointee.count &+= 1
    setLive(place)
    touch(place)
    adopt(value)
    check()
    return nil
  }

  /// A place is given away, perhaps not for the first time.
  @inline(__always)
  private func touch(_ place: Int) {
    if place < pointee.untouched { pointee.epoch &+= 1 }
    pointee.untouched = place &+ 1
  }

  /// A new key at `position`, which is at most the count. `.exists` where it is there. O(1) at both ends, else O(n).
  public func insert(at position: Int, _ key: UnsafeRawPointer, _ count: Int, _ value: ByteValue)
    -> SatchelError.Code?
  {
    guard index(of: key, count) < 0 else { return .exists }
    let isFirst = position == 0 && pointee.count > 0
    if isFirst, let code = makeFront() { return code }
    let isBetween = position > 0 && position < pointee.count
    if isBetween, place(at: position) == nil { return .noMemory }
    if let code = append(key, count, tag(key, count), value) { return code }
    if isFirst { moveToFront(pointee.end - 1) }
    // The ranks are there, or there are no holes: growing dropped both or neither.
    if isBetween, let place = place(at: position) { shiftLast(to: place) }
    check()
    return nil
  }

  // MARK: Removing

  /// Removes an entry; the caller frees the key and releases the value, last of all. O(1).
  @inline(__always)
  public func take(_ place: Int) -> (key: UnsafeMutableRawPointer, value: ByteValue) {
    let entry = pointee.entries[place]
    eraseSlot(of: place)
    if entry.value.kind == .table { pointee.nestedCount &-= 1 }
    pointee.count &-= 1
    vacate(place)
    check()
    return (entry.key, entry.value)
  }

  /// O(1).
  public func remove(_ place: Int) {
    let owner = pointee.owner
    let (key, value) = take(place)
    free(key)
    value.release(owner)
  }

  /// The last entry takes the place of the removed one. O(1).
  public func swapRemove(_ place: Int) {
    let last = pointee.end - 1
    guard place != last else { return remove(place) }
    let owner = pointee.owner
    let gone = pointee.entries[place]
    eraseSlot(of: place)
    slot(of: last)?.pointee = ByteTable.slot(pointee.entries[last].tag, place)
    leaveCursors(place)
    pointee.entries[place] = pointee.entries[last]
    if gone.value.kind == .table { pointee.nestedCount &-= 1 }
    pointee.count &-= 1
    vacate(last)
    pointee.epoch &+= 1
    check()
    free(gone.key)
    gone.value.release(owner)
  }

  /// What was at a place is gone from there; the bounds follow.
  @inline(__always)
  private func vacate(_ place: Int) {
    pointee.entries[place].meta = ByteEntry.dead
    clearLive(place)
    leaveCursors(place)
    if pointee.count == 0 {
      pointee.head = 0
      pointee.end = 0
    } else if place == pointee.head {
      pointee.head = firstLive(from: place).unsafelyUnwrapped
    } else if place == pointee.end &- 1 {
      pointee.end = lastLive(before: place).unsafelyUnwrapped &+ 1
    } else {
      return
    }
    boundCursors()
  }

  // MARK: Moving

  /// O(1).
  public func moveToEnd(_ key: UnsafeRawPointer, _ count: Int) -> SatchelError.Code? {
    var place = index(of: key, count)
    guard place >= 0 else { return .notFound }
    if place == pointee.end &- 1 { return nil }
    if pointee.end == pointee.room {
      if let code = makePlace() { return code }
      place = index(of: key, count)
    }
    let end = pointee.end
    pointee.end = end &+ 1
    move(place, to: end)
    touch(end)
    vacate(place)
    check()
    return nil
  }

  /// O(1).
  public func moveToFront(_ key: UnsafeRawPointer, _ count: Int) -> SatchelError.Code? {
    let place = index(of: key, count)
    guard place >= 0 else { return .notFound }
    if place == pointee.head { return nil }
    if let code = makeFront() { return code }
    moveToFront(index(of: key, count))
    check()
    return nil
  }

  private func moveToFront(_ place: Int) {
    pointee.head -= 1
    move(place, to: pointee.head)
    vacate(place)
    pointee.epoch &+= 1
  }

  /// Sees to it that there is a place before the first entry and one behind the last: half as many as there are entries, so that
  /// it is O(1) on average.
  private func makeFront() -> SatchelError.Code? {
    guard pointee.head == 0 || pointee.end == pointee.room else { return nil }
    let spare = max(ByteTable.fewest, pointee.count / 2)
    return rearrange(room: pointee.count + 2 * spare, front: spare)
  }

  @inline(__always)
  private func move(_ place: Int, to free: Int) {
    slot(of: place)?.pointee = ByteTable.slot(pointee.entries[place].tag, free)
    pointee.entries[free] = pointee.entries[place]
    setLive(free)
  }

  /// The last entry goes to `place`; those from there on move on to the place of their successor. O(n).
  private func shiftLast(to place: Int) {
    let last = pointee.end - 1
    shiftCursors(from: place)
    let moving = pointee.entries[last]
    let movingSlot = slot(of: last)
    var to = last
    while let from = lastLive(before: to), from >= place {
      slot(of: from)?.pointee = ByteTable.slot(pointee.entries[from].tag, to)
      pointee.entries[to] = pointee.entries[from]
      to = from
    }
    movingSlot?.pointee = ByteTable.slot(moving.tag, place)
    pointee.entries[place] = moving
    pointee.epoch &+= 1
  }
}
