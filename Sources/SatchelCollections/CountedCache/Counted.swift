import SatchelSystem
import Synchronization

/// The head of an item whose holders are counted here, not by the Swift runtime: so the last of them takes it out of its shard
/// under the shard's lock, and whoever finds it there holds that lock too and may count itself in. (The Linux kernel's way
/// with its directory cache: decrement and lock.)
@usableFromInline
struct Counted: ~Copyable {
  /// Under the shard's lock. What dies in its shard keeps it. First, as what a shard's lock guards is there.
  @usableFromInline var isIn = false
  @usableFromInline let holders = Atomic<Int>(1)
  @usableFromInline let hash: UInt64
  @usableFromInline let shard: ShardPointer

  @inlinable
  init(hash: UInt64, shard: ShardPointer) {
    self.hash = hash
    self.shard = shard
    shard.retain()
  }
}

@usableFromInline typealias CountedPointer = UnsafeMutablePointer<Counted>

extension UnsafeMutablePointer where Pointee == Counted {
  /// By somebody who holds it, or holds the lock of the shard that it is in.
  @inlinable @inline(__always)
  func retain() { pointee.holders.add(1, ordering: .relaxed) }

  /// True when it was the last: the item is out of its shard, and the caller's to destroy.
  @inlinable @inline(__always)
  func release() -> Bool {
    var seen = pointee.holders.load(ordering: .relaxed)
    while seen > 1 {
      let (done, now) = pointee.holders.weakCompareExchange(
        expected: seen, desired: seen - 1, successOrdering: .releasing, failureOrdering: .relaxed)
      if done { return false }
      seen = now
    }
    return releaseLocked()
  }

  @usableFromInline
  func releaseLocked() -> Bool {
    let shard = pointee.shard
    shard.lock()
    let isLast = pointee.holders.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
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
