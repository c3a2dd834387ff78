import SatchelSystem
import Synchronization

/// The head of an item whose holders are counted here, not by the Swift runtime: so the last of them takes it out of its shard
/// under the shard's lock, and whoever finds it there holds that lock too and may count itself in. (The Linux kernel's way
/// with its directory cache: decrement and lock.)
///
/// There are two counts, so that finding, which has the lock, costs no atomic addition.
@usableFromInline
struct Counted: ~Copyable {
  /// Under the shard's lock. What dies in its shard keeps it. First, as what a shard's lock guards is there.
  @usableFromInline var isIn = false
  /// For whoever makes the item: there is room here.
  @usableFromInline let size: UInt32
  /// How often it has been given out; changed under the shard's lock only, and never becomes less.
  @usableFromInline let given = Atomic<Int>(1)
  /// How often it has been given back. It is held `given - back` times.
  @usableFromInline let back = Atomic<Int>(0)
  @usableFromInline let hash: UInt64
  @usableFromInline let shard: ShardPointer

  @inlinable
  init(hash: UInt64, shard: ShardPointer, size: UInt32 = 0) {
    self.size = size
    self.hash = hash
    self.shard = shard
    shard.retain()
  }
}

@usableFromInline typealias CountedPointer = UnsafeMutablePointer<Counted>

extension UnsafeMutablePointer where Pointee == Counted {
  /// By somebody who has the lock of the shard that it is in.
  @inlinable @inline(__always)
  func give() { pointee.given.store(pointee.given.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

  /// By somebody who holds it.
  @inlinable @inline(__always)
  func retain() { pointee.back.subtract(1, ordering: .relaxed) }

  /// True when it was the last: the item is out of its shard, and the caller's to destroy.
  @inlinable @inline(__always)
  func release() -> Bool {
    // Not the last of those counted here is not the last: `given` only grows.
    let given = pointee.given.load(ordering: .relaxed)
    var back = pointee.back.load(ordering: .relaxed)
    while back &+ 1 < given {
      let (done, now) = pointee.back.weakCompareExchange(
        expected: back, desired: back &+ 1, successOrdering: .releasing, failureOrdering: .relaxed)
      if done { return false }
      back = now
    }
    return releaseLocked()
  }

  @usableFromInline
  func releaseLocked() -> Bool {
    let shard = pointee.shard
    shard.lock()
    let back = pointee.back.add(1, ordering: .acquiringAndReleasing).newValue
    let isLast = back == pointee.given.load(ordering: .relaxed)
    if isLast, pointee.isIn { shard.erase(self, pointee.hash) }
    shard.unlock()
    return isLast
  }

  /// Under the shard's lock. False where there is no memory.
  @inlinable
  func putIn() -> Bool {
    pointee.isIn = pointee.shard.insert(self, pointee.hash)
    return pointee.isIn
  }

  /// Under the shard's lock.
  @inlinable
  func takeOut() {
    pointee.shard.erase(self, pointee.hash)
    pointee.isIn = false
  }

  /// Under the shard's lock. The place of `other`, of the same hash, is this one's now.
  @inlinable
  func take(placeOf other: CountedPointer) {
    pointee.shard.replace(other, pointee.hash, with: self)
    other.pointee.isIn = false
    pointee.isIn = true
  }
}
