import SatchelSystem

/// Objects by key, held weakly, each with something that is held as long as its object lives. Any thread.
///
/// No code of others runs under a lock: keys are compared, and keys, objects and extras are let go, after it has been released.
/// So they may come back to the table from their `==` and `deinit`.
@usableFromInline
struct WeakTable<Key: Hashable, Object: AnyObject, Extra> {
  @usableFromInline let shards: ShardsPointer

  @inlinable
  init() { shards = .make() }

  /// Once. Nobody may be inside, or come later.
  @inlinable
  func close() {
    removeAll()
    shards.close()
  }

  /// Never changed once it is in: another object for its key comes in a node of its own.
  @usableFromInline
  struct Node {
    @usableFromInline let key: Key
    @usableFromInline let extra: Extra
    @usableFromInline weak var object: Object?

    @inlinable init(key: Key, extra: Extra, object: Object) {
      self.key = key
      self.extra = extra
      self.object = object
    }
  }
  @usableFromInline typealias NodePointer = UnsafeMutablePointer<Node>

  @inlinable
  static func node(_ item: UnsafeMutableRawPointer) -> NodePointer { item.assumingMemoryBound(to: Node.self) }

  @inlinable
  static func destroy(_ item: UnsafeMutableRawPointer) {
    node(item).deinitialize(count: 1)
    node(item).deallocate()
  }

  @inlinable
  static func hash(_ key: Key) -> UInt64 { UInt64(bitPattern: Int64(key.hashValue)) }
}

// MARK: Looking

extension WeakTable {
  /// What is living under the key.
  @inlinable
  func get(_ key: Key) -> (object: Object, extra: Extra)? {
    let hash = WeakTable.hash(key)
    let shard = shards.shard(for: hash)
    var search = Search(shard)
    while true {
      shard.lock()
      guard let item = search.next(hash) else {
        shard.unlock()
        return nil
      }
      let node = WeakTable.node(item)
      guard let object = node.pointee.object else {
        shard.erase(item, hash)
        shard.unlock()
        WeakTable.destroy(item)
        continue
      }
      let other = node.pointee.key
      let extra = node.pointee.extra
      shard.unlock()
      if other == key { return (object, extra) }
      search.skip()
    }
  }

  /// Visits every living object. What comes or goes meanwhile may be visited or not.
  @inlinable
  func forEach(_ body: (Key, Object) -> Void) {
    for i in 0..<Shards.count {
      for (key, object) in living(in: shards.shard(i)) { body(key, object) }
    }
  }

  /// The living of one shard; the dead are taken out.
  @inlinable
  func living(in shard: ShardPointer) -> [(Key, Object)] {
    var living: [(Key, Object)] = []
    var dead: [(item: UnsafeMutableRawPointer, hash: UInt64)] = []
    shard.lock()
    for i in 0...shard.pointee.mask {
      guard let item = shard.pointee.slots[i].item else { continue }
      if let object = WeakTable.node(item).pointee.object {
        living.append((WeakTable.node(item).pointee.key, object))
      } else {
        dead.append((item, shard.pointee.slots[i].hash))
      }
    }
    for (item, hash) in dead { shard.erase(item, hash) }
    shard.unlock()
    for (item, _) in dead { WeakTable.destroy(item) }
    return living
  }

  /// Takes out what has died, and counts what has not.
  @inlinable
  func removeExpired() -> Int {
    (0..<Shards.count).reduce(0) { $0 + living(in: shards.shard($1)).count }
  }
}

// MARK: Changing

/// What is under the key, and what is put there instead.
@usableFromInline
enum WeakTablePolicy {
  case replace
  /// A living object stays.
  case keep
}

extension WeakTable {
  /// Returns what was living under the key. nil in the place of an object removes.
  @inlinable @discardableResult
  func set(_ key: Key, _ object: Object?, _ extra: Extra, _ policy: WeakTablePolicy = .replace) -> (Object, Extra)? {
    let hash = WeakTable.hash(key)
    let shard = shards.shard(for: hash)
    var fresh: NodePointer?
    if let object {
      let node = NodePointer.allocate(capacity: 1)
      node.initialize(to: Node(key: key, extra: extra, object: object))
      fresh = node
    }
    var search = Search(shard)
    while true {
      shard.lock()
      guard let item = search.next(hash) else {
        let swept = fresh.map { insert($0, hash, shard) }
        shard.unlock()
        swept?.finish()
        return nil
      }
      let node = WeakTable.node(item)
      if search.isFound {
        let old = node.pointee.object.map { ($0, node.pointee.extra) }
        let stays = policy == .keep && old != nil
        if !stays { change(item, to: fresh, hash, shard) }
        shard.unlock()
        if !stays { WeakTable.destroy(item) } else if let fresh { WeakTable.destroy(fresh) }
        return old
      }
      let other = node.pointee.key
      shard.unlock()
      if other == key { search.found() } else { search.skip() }
    }
  }

  /// Under the lock.
  @inlinable
  func change(_ item: UnsafeMutableRawPointer, to fresh: NodePointer?, _ hash: UInt64, _ shard: ShardPointer) {
    if let fresh { shard.replace(item, hash, with: fresh) } else { shard.erase(item, hash) }
  }

  /// Under the lock. Each that comes looks after two slots: before as many have come as there are slots, each slot
  /// has been met.
  @inlinable
  func insert(_ fresh: NodePointer, _ hash: UInt64, _ shard: ShardPointer) -> Swept {
    let first = sweep(shard)
    let second = sweep(shard)
    guard shard.insert(fresh, hash) else { fatalError("out of memory") }
    return Swept(first: first, second: second)
  }

  /// Under the lock. The object is handed over even where it lives: letting it go may be what ends it.
  @inlinable
  func sweep(_ shard: ShardPointer) -> (dead: UnsafeMutableRawPointer?, living: Object?) {
    let i = shard.pointee.hand & shard.pointee.mask
    guard let item = shard.pointee.slots[i].item else {
      shard.pointee.hand = i + 1
      return (nil, nil)
    }
    if let object = WeakTable.node(item).pointee.object {
      shard.pointee.hand = i + 1
      return (nil, object)
    }
    shard.erase(item, shard.pointee.slots[i].hash)
    return (item, nil)
  }

  @usableFromInline
  struct Swept {
    @usableFromInline let first, second: (dead: UnsafeMutableRawPointer?, living: Object?)

    @inlinable
    init(
      first: (dead: UnsafeMutableRawPointer?, living: Object?),
      second: (dead: UnsafeMutableRawPointer?, living: Object?)
    ) {
      self.first = first
      self.second = second
    }

    /// Not under the lock.
    @inlinable
    func finish() {
      if let dead = first.dead { WeakTable.destroy(dead) }
      if let dead = second.dead { WeakTable.destroy(dead) }
    }
  }

  @inlinable
  func removeAll() { shards.takeAll { WeakTable.destroy($0) } }
}
