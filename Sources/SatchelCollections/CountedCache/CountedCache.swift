import SatchelSystem

/// Values of any type by key, as long as somebody holds them: the cache that forgets at once.
///
/// ```swift
/// let fonts = CountedCache<String, Font>()
/// let font = fonts.object(for: "Sans 12") { Font("Sans", 12) }
/// font.value  // and fonts.count is 1 until the last holder of it has gone
/// ```
///
/// What is handed out is a ``CachedObject``: each look-up makes one, all of one entry hold the same value, and the entry goes
/// in the very instant the last of them does. So ``count`` is exact, there are no dead entries and nothing to sweep. Where
/// the objects themselves are to be cached, without a box around them, there is ``WeakCache``.
///
/// Any thread, if keys and values are `Sendable`; also in a forked child. No code of others runs under a lock: factories,
/// `==`, `hash(into:)` and `deinit` may use the cache. Values that are held may outlive it.
public final class CountedCache<Key: Hashable, Value> {
  @usableFromInline let shards = ShardsPointer.make()

  @inlinable
  public init() {}

  @inlinable
  deinit {
    removeAll()
    shards.close()
  }

  @usableFromInline
  struct Record: ~Copyable {
    /// First: a pointer to it is one to the record.
    @usableFromInline var counted: Counted
    @usableFromInline let key: Key
    @usableFromInline let value: Value

    @inlinable
    init(_ hash: UInt64, _ shard: ShardPointer, _ key: Key, _ value: Value) {
      counted = Counted(hash: hash, shard: shard)
      self.key = key
      self.value = value
    }
  }
  @usableFromInline typealias RecordPointer = UnsafeMutablePointer<Record>

  @inlinable
  static func counted(_ record: RecordPointer) -> CountedPointer {
    UnsafeMutableRawPointer(record).assumingMemoryBound(to: Counted.self)
  }

  @inlinable
  static func record(_ item: UnsafeMutableRawPointer) -> RecordPointer { item.assumingMemoryBound(to: Record.self) }

  @inlinable
  static func release(_ record: RecordPointer) {
    guard counted(record).release() else { return }
    let shard = record.pointee.counted.shard
    record.deinitialize(count: 1)
    record.deallocate()
    shard.release()
  }

  @inlinable
  static func hash(_ key: Key) -> UInt64 { UInt64(bitPattern: Int64(key.hashValue)) }
}

extension CountedCache: @unchecked Sendable where Key: Sendable, Value: Sendable {}

// MARK: Looking

extension CountedCache {
  /// The object of the key, or nil where nobody holds one.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(key: Key) -> CachedObject<Value>? { find(key).map { CachedObjectHolder($0) } }

  /// How many entries there are; each is held by somebody.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var count: Int { shards.itemCount }

  /// The record of the key, counted.
  @inlinable
  func find(_ key: Key) -> RecordPointer? {
    let hash = CountedCache.hash(key)
    let shard = shards.shard(for: hash)
    var search = Search(shard)
    while let record = next(&search, hash) {
      if record.pointee.key == key { return record }
      search.skip()
      CountedCache.release(record)
    }
    return nil
  }

  /// The next one to compare, counted.
  @inlinable
  func next(_ search: inout Search, _ hash: UInt64) -> RecordPointer? {
    search.shard.lock()
    defer { search.shard.unlock() }
    guard let item = search.next(hash) else { return nil }
    let record = CountedCache.record(item)
    CountedCache.counted(record).give()
    return record
  }
}

// MARK: Changing

extension CountedCache {
  /// Puts a value in, and returns its first holder. What the key led to lives on with those who hold it.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  public func insert(_ value: Value, for key: Key) -> CachedObject<Value> {
    CachedObjectHolder(put(key, value, replacing: true))
  }

  /// The object of the key; where there is none, the one that holds what `make` returns.
  ///
  /// `make` runs without a lock. Of several threads that make one for the same key at the same time, all get that of the one
  /// that was first.
  ///
  /// - Complexity: O(1), amortised, beside what `make` takes.
  @inlinable
  public func object(for key: Key, orCreate make: () throws -> Value) rethrows -> CachedObject<Value> {
    if let found = self[key] { return found }
    return CachedObjectHolder(put(key, try make(), replacing: false))
  }

  /// Removes the key, and returns its object.
  ///
  /// - Complexity: O(1).
  @inlinable @discardableResult
  public func removeValue(for key: Key) -> CachedObject<Value>? {
    let hash = CountedCache.hash(key)
    let shard = shards.shard(for: hash)
    var search = Search(shard)
    while true {
      shard.lock()
      guard let item = search.next(hash) else {
        shard.unlock()
        return nil
      }
      let record = CountedCache.record(item)
      let counted = CountedCache.counted(record)
      counted.give()
      if search.isFound { counted.takeOut() }
      shard.unlock()
      if search.isFound { return CachedObjectHolder(record) }
      compare(record, key, &search)
    }
  }

  /// Removes everything. What is held lives on.
  ///
  /// - Complexity: O(n).
  @inlinable
  public func removeAll() {
    shards.takeAll(detach: { CountedCache.record($0).pointee.counted.isIn = false }, { _ in })
  }

  /// The record that is under the key now, counted.
  @inlinable
  func put(_ key: Key, _ value: Value, replacing: Bool) -> RecordPointer {
    let hash = CountedCache.hash(key)
    let shard = shards.shard(for: hash)
    let fresh = RecordPointer.allocate(capacity: 1)
    fresh.initialize(to: Record(hash, shard, key, value))
    var search = Search(shard)
    while true {
      shard.lock()
      guard let item = search.next(hash) else {
        guard CountedCache.counted(fresh).putIn() else { fatalError("out of memory") }
        shard.unlock()
        return fresh
      }
      let record = CountedCache.record(item)
      CountedCache.counted(record).give()
      if search.isFound, replacing { CountedCache.counted(fresh).take(placeOf: CountedCache.counted(record)) }
      shard.unlock()
      if search.isFound {
        CountedCache.release(replacing ? record : fresh)
        return replacing ? fresh : record
      }
      compare(record, key, &search)
    }
  }

  /// Gives the count of the record back.
  @inlinable
  func compare(_ record: RecordPointer, _ key: Key, _ search: inout Search) {
    if record.pointee.key == key { search.found() } else { search.skip() }
    CountedCache.release(record)
  }
}
