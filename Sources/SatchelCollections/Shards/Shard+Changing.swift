import Glibc
import SatchelSystem
import Synchronization

extension UnsafeMutablePointer where Pointee == Shard {
  /// What was stored before it is visible before it, and what is stored after it only with it.
  @inlinable @inline(__always)
  func announce(_ change: Int) {
    pointee.change.store(change, ordering: .releasing)
    atomicMemoryFence(ordering: .releasing)
  }

  /// Under the lock. False where there is no memory. The hash must be that of the item for as long as it is in.
  @usableFromInline
  func insert(_ item: UnsafeMutableRawPointer, _ hash: UInt64) -> Bool {
    let capacity = pointee.mask + 1
    if (pointee.count + 1) * 4 > capacity * 3, !resize(to: Swift.max(capacity * 2, 8)) { return false }
    announce(Shard.Change.insertion)
    place(Shard.Slot(hash: hash, item: item), pointee.slots, pointee.mask)
    pointee.count += 1
    pointee.version &+= 1
    announce(Shard.Change.none)
    check()
    return true
  }

  private func place(_ slot: Shard.Slot, _ slots: UnsafeMutablePointer<Shard.Slot>, _ mask: Int) {
    var i = Int(truncatingIfNeeded: slot.hash) & mask
    while slots[i].item != nil { i = (i &+ 1) & mask }
    slots[i].hash = slot.hash
    slots[i].item = slot.item
  }

  /// Under the lock. Another item takes the place of one that is in.
  @usableFromInline
  func replace(_ item: UnsafeMutableRawPointer, _ hash: UInt64, with other: UnsafeMutableRawPointer) {
    guard let i = slot(of: item, hash) else { return }
    pointee.slots[i].item = other
    pointee.version &+= 1
    check()
  }

  /// Under the lock. Does nothing when the item is not in.
  @usableFromInline
  func erase(_ item: UnsafeMutableRawPointer, _ hash: UInt64) {
    guard let i = slot(of: item, hash) else { return }
    close(hole: i)
    if pointee.count * 8 < pointee.mask, pointee.mask > 7 { _ = resize(to: (pointee.mask + 1) / 2) }
    check()
  }

  private func slot(of item: UnsafeMutableRawPointer, _ hash: UInt64) -> Int? {
    var i = Int(truncatingIfNeeded: hash) & pointee.mask
    while let other = pointee.slots[i].item {
      if other == item { return i }
      i = (i &+ 1) & pointee.mask
    }
    return nil
  }

  /// Takes away what the slot holds: whatever may move into it does, then into the next hole, up to the first empty slot.
  private func close(hole: Int) {
    let slots = pointee.slots
    let mask = pointee.mask
    var hole = hole
    announce(hole + 1)
    var i = (hole &+ 1) & mask
    while slots[i].item != nil {
      let home = Int(truncatingIfNeeded: slots[i].hash) & mask
      if (i &- home) & mask >= (i &- hole) & mask {
        slots[hole] = slots[i]
        announce(i + 1)
        hole = i
      }
      i = (i &+ 1) & mask
    }
    slots[hole] = Shard.Slot(hash: 0, item: nil)
    pointee.count -= 1
    pointee.version &+= 1
    announce(Shard.Change.none)
  }

  /// False, and nothing has changed, where there is no memory.
  private func resize(to capacity: Int) -> Bool {
    let old = pointee.slots
    let oldCapacity = pointee.mask + 1
    guard let room = calloc(capacity, MemoryLayout<Shard.Slot>.stride) else { return false }
    let fresh = room.assumingMemoryBound(to: Shard.Slot.self)
    for i in 0..<oldCapacity where old[i].item != nil { place(old[i], fresh, capacity - 1) }
    pointee.nextSlots = fresh
    pointee.nextMask = capacity - 1
    announce(Shard.Change.resizing)
    pointee.slots = fresh
    pointee.mask = capacity - 1
    announce(Shard.Change.none)
    if old != Shard.noSlots { free(old) }
    return true
  }

  /// Under the lock, in a child forked in the midst of a change.
  @usableFromInline
  func finishChange() {
    let change = pointee.change.load(ordering: .relaxed)
    if change == Shard.Change.resizing {
      pointee.slots = pointee.nextSlots
      pointee.mask = pointee.nextMask
    }
    if change > 0 { close(hole: change - 1) }
    pointee.count = (0...pointee.mask).count { pointee.slots[$0].item != nil }
    pointee.version &+= 1
    announce(Shard.Change.none)
    check()
  }

  /// Under the lock. Every item, taken out: the slots that they were in, now the caller's.
  @usableFromInline
  func takeAll() -> Shard.Slots {
    let old = pointee.slots
    let taken = Shard.Slots(start: old, count: old == Shard.noSlots ? 0 : pointee.mask + 1)
    pointee.nextSlots = Shard.noSlots
    pointee.nextMask = 0
    announce(Shard.Change.resizing)
    pointee.slots = Shard.noSlots
    pointee.mask = 0
    pointee.count = 0
    pointee.version &+= 1
    announce(Shard.Change.none)
    return taken
  }

  /// Under the lock: `count` tells the truth, and every item is found where its hash leads. Compiled in by a flag.
  @inline(__always)
  private func check() {
    #if SATCHEL_CHECKS
    let taken = (0...pointee.mask).filter { pointee.slots[$0].item != nil }
    precondition(taken.count == pointee.count && pointee.count <= pointee.mask)
    for i in taken {
      guard let item = pointee.slots[i].item else { continue }
      precondition(slot(of: item, pointee.slots[i].hash) == i)
    }
    #endif
  }
}

extension Shard {
  /// Taken away from a shard.
  @usableFromInline typealias Slots = UnsafeMutableBufferPointer<Slot>
}

extension UnsafeMutableBufferPointer where Element == Shard.Slot {
  @usableFromInline
  func forEachItem(_ body: (UnsafeMutableRawPointer) -> Void) {
    for slot in self {
      if let item = slot.item { body(item) }
    }
  }

  @usableFromInline
  func release() {
    if !isEmpty { free(baseAddress) }
  }
}
