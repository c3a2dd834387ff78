import Glibc
import SatchelSystem
import Synchronization

/// The shards of one cache. Items may outlive their cache and still come to their shard to die, so the memory goes when the
/// cache has been closed and no item needs it.
@usableFromInline
struct Shards: ~Copyable {
  /// Shards that are still needed.
  @usableFromInline let needed = Atomic<Int>(Shards.count)
  /// What the cache wants to be kept as long as the shards.
  @usableFromInline let companion: Unmanaged<AnyObject>?

  @usableFromInline init(companion: Unmanaged<AnyObject>?) { self.companion = companion }

  @inlinable static var count: Int { 64 }
  /// Two cache lines: the processor fetches them in pairs.
  @inlinable static var stride: Int { 128 }
}

@usableFromInline typealias ShardsPointer = UnsafeMutablePointer<Shards>

extension UnsafeMutablePointer where Pointee == Shards {
  @usableFromInline
  static func make(companion: AnyObject? = nil) -> ShardsPointer {
    precondition(MemoryLayout<Shard>.size <= Shards.stride && MemoryLayout<Shards>.size <= Shards.stride)
    let room = UnsafeMutableRawPointer.allocate(
      byteCount: (Shards.count + 1) * Shards.stride, alignment: Shards.stride)
    let shards = room.assumingMemoryBound(to: Shards.self)
    shards.initialize(to: Shards(companion: companion.map { Unmanaged.passRetained($0) }))
    for i in 0..<Shards.count { shards.shard(i).initialize(to: Shard(in: shards)) }
    return shards
  }

  @inlinable @inline(__always)
  func shard(_ i: Int) -> ShardPointer {
    (UnsafeMutableRawPointer(self) + (i &+ 1) &* Shards.stride).assumingMemoryBound(to: Shard.self)
  }

  /// The highest bits choose the shard, the lowest the slot.
  @inlinable @inline(__always)
  func shard(for hash: UInt64) -> ShardPointer { shard(Int(truncatingIfNeeded: hash >> 58)) }

  /// How many items there are. Exact at some instant in each shard.
  @usableFromInline
  var itemCount: Int {
    (0..<Shards.count).reduce(0) { sum, i in
      let shard = shard(i)
      shard.lock()
      defer { shard.unlock() }
      return sum + shard.pointee.count
    }
  }

  /// Takes every item out: each is handed first to `detach`, under its shard's lock, and to `visit` without a lock when all are
  /// out. So a visitor finds none of them, what it puts in stays, and it may close the cache: that is not touched any more.
  @usableFromInline
  func takeAll(
    detach: (UnsafeMutableRawPointer) -> Void = { _ in }, _ visit: (UnsafeMutableRawPointer) -> Void
  ) {
    withUnsafeTemporaryAllocation(of: Shard.Slots.self, capacity: Shards.count) { taken in
      for i in 0..<Shards.count {
        let shard = shard(i)
        shard.lock()
        taken.initializeElement(at: i, to: shard.takeAll())
        taken[i].forEachItem(detach)
        shard.unlock()
      }
      for slots in taken {
        slots.forEachItem(visit)
        slots.release()
      }
    }
  }

  /// Once, by the cache, when it has taken every item out.
  @usableFromInline
  func close() {
    for i in 0..<Shards.count { shard(i).release() }
  }

  fileprivate func shardIsDone() {
    guard pointee.needed.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    let companion = pointee.companion
    UnsafeMutableRawPointer(self).deallocate()
    companion?.release()
  }
}

extension UnsafeMutablePointer where Pointee == Shard {
  /// For an item that is told its shard, and for a call that is to outlive a closing.
  @usableFromInline
  func retain() { pointee.holders.add(1, ordering: .relaxed) }

  /// Not under the lock, and nothing of the shard is touched afterwards.
  @usableFromInline
  func release() {
    guard pointee.holders.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    // Room is left where something has come in after the closing.
    if pointee.slots != Shard.noSlots { free(pointee.slots) }
    pointee.shards.shardIsDone()
  }
}
