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
    if pointee.live.end == pointee.live.capacity, let code = makePlace() { return code }
    var tag = known
    if pointee.count == slotRoom {
      if let code = makeSlots() { return code }
      tag = self.tag(key, count)
    }
    guard let copy = malloc(count &+ 1) else { return .noMemory }
    memcpy(copy, key, count)
    copy.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
    let place = pointee.live.append()
    pointee.entries[place] = ByteEntry(key: copy, count: count, tag: tag, value: value)
    enter(place, tag)
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
    if let code = append(key, count, tag(key, count), value) { return code }
    if isFirst { moveToFront(lastPlace) }
    if isBetween { shiftLast(to: place(at: position)) }
    check()
    return nil
  }

  // MARK: Removing

  /// Removes an entry; the caller frees the key and releases the value, last of all. O(1).
  @inline(__always)
  public func take(_ place: Int) -> (key: UnsafeMutableRawPointer, value: ByteValue) {
    let entry = pointee.entries[place]
    leave(place)
    if entry.value.kind == .table { pointee.nestedCount &-= 1 }
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
    let last = lastPlace
    guard place != last else { return remove(place) }
    let owner = pointee.owner
    let gone = pointee.entries[place]
    leave(place)
    lead(last, to: place)
    leaveCursors(place)
    pointee.entries[place] = pointee.entries[last]
    if gone.value.kind == .table { pointee.nestedCount &-= 1 }
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
    pointee.live.free(place)
    leaveCursors(place)
    boundCursors()
  }

  // MARK: Moving

  /// O(1).
  public func moveToEnd(_ key: UnsafeRawPointer, _ count: Int) -> SatchelError.Code? {
    var place = index(of: key, count)
    guard place >= 0 else { return .notFound }
    if place == lastPlace { return nil }
    if pointee.live.end == pointee.live.capacity {
      if let code = makePlace() { return code }
      place = index(of: key, count)
    }
    let end = pointee.live.append()
    move(place, to: end)
    touch(end)
    check()
    return nil
  }

  /// O(1).
  public func moveToFront(_ key: UnsafeRawPointer, _ count: Int) -> SatchelError.Code? {
    let place = index(of: key, count)
    guard place >= 0 else { return .notFound }
    if place == firstPlace { return nil }
    if let code = makeFront() { return code }
    moveToFront(index(of: key, count))
    check()
    return nil
  }

  private func moveToFront(_ place: Int) {
    move(place, to: pointee.live.prepend())
    pointee.epoch &+= 1
  }

  /// Sees to it that there is a place before the first entry and one behind the last: half as many as there are entries, so that
  /// it is O(1) on average.
  private func makeFront() -> SatchelError.Code? {
    guard pointee.live.head == 0 || pointee.live.end == pointee.live.capacity else { return nil }
    let spare = max(ByteTable.fewest, pointee.count / 2)
    return rearrange(room: pointee.count + 2 * spare, front: spare)
  }

  /// To a place that has just been taken.
  @inline(__always)
  private func move(_ place: Int, to other: Int) {
    lead(place, to: other)
    pointee.entries[other] = pointee.entries[place]
    vacate(place)
  }

  /// The last entry goes to `place`; those from there on move on to the place of their successor. O(n).
  private func shiftLast(to place: Int) {
    shiftCursors(from: place)
    let moving = pointee.entries[lastPlace]
    leave(lastPlace)
    var to = lastPlace
    while let from = lastLive(before: to), from >= place {
      lead(from, to: to)
      pointee.entries[to] = pointee.entries[from]
      to = from
    }
    pointee.entries[place] = moving
    enter(place, moving.tag)
    pointee.epoch &+= 1
  }
}
