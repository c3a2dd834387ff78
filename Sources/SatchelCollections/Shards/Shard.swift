import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// A part of a cache with a lock of its own: items by hash, each erased by its identity. Open addressing, linear probing, and
/// no tombstones: erasing shifts back what follows.
///
/// Another one than `SlotTable`, on purpose. That leads to places in an array of entries in their order, which belongs to one
/// thread. Here there is no order and no array: the slots lead to items elsewhere, whose death in any thread erases them; each
/// keeps the whole hash, since an item may be unfit to be looked at; and each step of a change is one that a child, forked in
/// the midst of it, can finish.
///
/// It lives in raw memory and is changed through its pointer only. Every change is announced in `change` before it begins,
/// so that a child forked in the midst of one, by a thread that does not exist there, finishes it when it takes the lock over.
@usableFromInline
struct Shard: ~Copyable {
  // What the lock guards comes first: tools that look for races take the beginning of a struct for all of it.
  @usableFromInline var slots = Shard.noSlots
  @usableFromInline var mask = 0
  @usableFromInline var count = 0
  @usableFromInline let change = Atomic<Int>(Change.none)
  @usableFromInline let lock = Atomic<UInt64>(0)
  /// What `slots` and `mask` become, while `change` says so.
  @usableFromInline var nextSlots = Shard.noSlots
  @usableFromInline var nextMask = 0
  /// How often items have come or gone: what was found before an unlock holds while it stays the same.
  @usableFromInline var version = 0
  /// The slot that is to be swept next.
  @usableFromInline var hand = 0
  /// How many need this memory: the cache, and each item that is told its shard.
  @usableFromInline let holders = Atomic<Int>(1)
  @usableFromInline let shards: ShardsPointer

  @inlinable static var lockOffset: Int { 4 * 8 }

  @usableFromInline init(in shards: ShardsPointer) { self.shards = shards }

  @usableFromInline
  struct Slot {
    @usableFromInline var hash: UInt64
    @usableFromInline var item: UnsafeMutableRawPointer?

    @inlinable init(hash: UInt64, item: UnsafeMutableRawPointer?) {
      self.hash = hash
      self.item = item
    }
  }

  /// What is under way: one of these, or 1 + the slot that is being filled from behind.
  @usableFromInline
  enum Change {
    @inlinable static var none: Int { 0 }
    @inlinable static var insertion: Int { -1 }
    @inlinable static var resizing: Int { -2 }
  }

  private struct Constant: @unchecked Sendable { let slots: UnsafeMutablePointer<Slot> }
  private static let constant: Constant = {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: 1)
    slots.initialize(to: Slot(hash: 0, item: nil))
    return Constant(slots: slots)
  }()
  /// The one empty slot of every empty shard; never written to.
  @usableFromInline static var noSlots: UnsafeMutablePointer<Slot> { constant.slots }
}

@usableFromInline typealias ShardPointer = UnsafeMutablePointer<Shard>

extension UnsafeMutablePointer where Pointee == Shard {
  @inlinable @inline(__always)
  func lock() {
    BriefLock.acquire(UnsafeRawPointer(self).word(at: Shard.lockOffset))
    if pointee.change.load(ordering: .relaxed) != Shard.Change.none { finishChange() }
  }

  @inlinable @inline(__always)
  func unlock() { BriefLock.release(UnsafeRawPointer(self).word(at: Shard.lockOffset)) }

  /// The first item of that hash that `matches`, which must not call what belongs to others.
  @inlinable @inline(__always)
  func find(_ hash: UInt64, _ matches: (UnsafeMutableRawPointer) -> Bool) -> UnsafeMutableRawPointer? {
    let slots = pointee.slots
    let mask = pointee.mask
    var i = Int(truncatingIfNeeded: hash) & mask
    while let item = slots[i].item {
      if slots[i].hash == hash, matches(item) { return item }
      i = (i &+ 1) & mask
    }
    return nil
  }
}
