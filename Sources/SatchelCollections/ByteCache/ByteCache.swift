import CSatchelSystem
import SatchelSystem

/// The weak cache behind the C interface: pointers by a key of bytes, as long as somebody holds them. Any thread; also in a
/// forked child.
///
/// `CountedCache` with a key that is compared under the lock, since comparing bytes calls nobody, and with events.
public struct ByteCache {
  /// Why an entry has left.
  public enum Reason: Int32 {
    case expired = 1
    case replaced = 2
    case removed = 3
  }

  /// What happens to objects; called without a lock, by the thread that made it happen. Lives until the cache is closed and
  /// the last object is gone.
  open class Events {
    public init() {}
    /// Key and payload live for as long as the call takes.
    open func evicted(_ key: UnsafeRawBufferPointer, _ payload: UnsafeMutableRawPointer?, _ reason: Reason) {}
    open func destroy(_ payload: UnsafeMutableRawPointer?) {}
  }

  private let shards: ShardsPointer
  private let seed: UInt64

  public init(seed: UInt64, events: Events) {
    self.seed = seed
    shards = .make(companion: events)
  }

  /// What is made at its first use, made now.
  public static func prepare() { _ = Shard.noSlots }

  /// Once. Objects live on with their holders.
  public func close() {
    removeAll()
    shards.close()
  }

  public var count: Int { shards.itemCount }

  private func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
    let hash = scs_hash(seed, key.baseAddress, key.count)
    #if SATCHEL_CHECKS
    // So that keys collide.
    if seed < 32 { return hash & (1 << seed - 1) }
    #endif
    return hash
  }

  /// Counted, or nil.
  public func get(_ key: UnsafeRawBufferPointer) -> ByteObject? {
    let hash = hash(key)
    let shard = shards.shard(for: hash)
    shard.lock()
    defer { shard.unlock() }
    guard let found = ByteCache.find(key, hash, shard) else { return nil }
    found.counted.give()
    return found
  }

  @inline(__always)
  private static func find(_ key: UnsafeRawBufferPointer, _ hash: UInt64, _ shard: ShardPointer) -> ByteObject? {
    let item = shard.find(hash) { item in
      let object = ByteObject(item)
      return object.record.pointee.counted.size == key.count
        && (key.isEmpty || scs_equal(object.key.baseAddress, key.baseAddress, key.count))
    }
    return item.map { ByteObject($0) }
  }

  public enum Policy { case replace, keep }

  /// The object that is under the key now, counted: a new one with the payload, or one that was to be kept. nil where there is
  /// no memory, and then nothing has changed.
  public func put(_ key: UnsafeRawBufferPointer, _ payload: UnsafeMutableRawPointer?, _ policy: Policy) -> ByteObject? {
    let hash = hash(key)
    let shard = shards.shard(for: hash)
    guard let fresh = ByteObject(hash, shard, key, payload) else { return nil }
    shard.lock()
    guard let old = ByteCache.find(key, hash, shard) else {
      let isIn = fresh.counted.putIn()
      shard.unlock()
      if isIn { return fresh }
      fresh.forget()
      return nil
    }
    old.counted.give()
    if policy == .replace { fresh.counted.take(placeOf: old.counted) }
    shard.unlock()
    if policy == .keep {
      fresh.release()
      return old
    }
    old.sayEvicted(.replaced)
    old.release()
    return fresh
  }

  /// A key that is to be put in afterwards can be, even where `body` closes the cache, and what it makes can be destroyed.
  public func keeping<Result>(_ key: UnsafeRawBufferPointer, _ body: () -> Result) -> Result {
    let shard = shards.shard(for: hash(key))
    shard.retain()
    defer { shard.release() }
    return body()
  }

  /// Ends a payload of which no object was made.
  public func destroy(_ payload: UnsafeMutableRawPointer) { ByteCache.tell(shards) { $0.destroy(payload) } }

  /// The events live as long as the shards are needed; counting their users would have all threads meet there.
  static func tell(_ shards: ShardsPointer, _ body: (Events) -> Void) {
    shards.pointee.companion?._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Events.self)) }
  }

  /// False where there is no such key.
  public func remove(_ key: UnsafeRawBufferPointer) -> Bool {
    let hash = hash(key)
    let shard = shards.shard(for: hash)
    shard.lock()
    let found = ByteCache.find(key, hash, shard)
    found?.counted.give()
    found?.counted.takeOut()
    shard.unlock()
    guard let found else { return false }
    found.sayEvicted(.removed)
    found.release()
    return true
  }

  /// Whoever is told finds the cache empty.
  public func removeAll() {
    shards.takeAll(
      detach: { item in
        ByteObject(item).counted.give()
        ByteObject(item).counted.pointee.isIn = false
      },
      { item in
        let object = ByteObject(item)
        object.sayEvicted(.removed)
        object.release()
      })
  }
}
