/// Objects by key, as long as somebody else holds them: a cache that keeps nothing alive.
///
/// ```swift
/// let images = WeakCache<String, Image>()
/// let image = images.value(for: "logo") { Image(named: "logo") }
/// images["logo"] === image  // and nil once nobody holds it any more
/// ```
///
/// Keys are held strongly, copied as values are, and compared with `==`; objects are held with Swift's own `weak`. An entry
/// whose object has died reads as nil at once. Its memory is given back when the entry is next met, at the latest by the
/// sweep: each insertion of a new key looks after two places. So the dead wait for those who come after them, or for
/// ``removeExpired()``; but however many come and go, the room stays in proportion to the most that lived at one time. Where an
/// entry has to go at once, as the object dies, see ``CountedCache``.
///
/// Any thread, if keys and objects are `Sendable`; also in a forked child. The cache calls nothing of others while it holds a
/// lock: factories, `==`, `hash(into:)` and `deinit` may use it. A value is lent strongly, so nobody sees it die.
///
/// Mind that an optimised program drops its last reference after the last use, not at the end of the scope; where an object
/// is to stay in the cache until then, `withExtendedLifetime` says so.
public final class WeakCache<Key: Hashable, Value: AnyObject> {
  @usableFromInline let table = WeakTable<Key, Value, Void>()

  @inlinable
  public init() {}

  @inlinable
  deinit { table.close() }

  /// The living object of the key, or nil. Setting replaces, at one instant for all threads; setting nil removes.
  ///
  /// - Complexity: O(1), amortised where it is set.
  @inlinable
  public subscript(key: Key) -> Value? {
    get { table.get(key)?.object }
    set { table.set(key, newValue, ()) }
  }

  /// The living object of the key; where there is none, the one that `make` returns, which is then in the cache.
  ///
  /// `make` runs without a lock. Of several threads that make one for the same key at the same time, all get the object of
  /// the one that was first.
  ///
  /// - Complexity: O(1), amortised, beside what `make` takes.
  @inlinable
  public func value(for key: Key, orCreate make: () throws -> Value) rethrows -> Value {
    if let found = self[key] { return found }
    let made = try make()
    return table.set(key, made, (), .keep)?.0 ?? made
  }

  /// Removes the key, and returns its object if that was living.
  ///
  /// - Complexity: O(1).
  @inlinable @discardableResult
  public func removeValue(for key: Key) -> Value? { table.set(key, nil, ())?.0 }

  /// Removes everything.
  ///
  /// - Complexity: O(n).
  @inlinable
  public func removeAll() { table.removeAll() }

  /// Gives back the memory of all entries whose objects have died.
  ///
  /// - Complexity: O(n), one part of the cache after the other; the rest stays usable meanwhile.
  @inlinable
  public func removeExpired() { _ = table.removeExpired() }

  /// How many objects are living.
  ///
  /// - Complexity: O(n).
  @inlinable
  public var liveCount: Int { table.removeExpired() }

  /// How many entries there are, the dead among them that have not been met yet.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var estimatedCount: Int { table.shards.itemCount }

  /// The keys and objects that are living, in no order.
  ///
  /// - Complexity: O(n).
  @inlinable
  public var entries: [(key: Key, value: Value)] {
    var all: [(key: Key, value: Value)] = []
    table.forEach { all.append((key: $0, value: $1)) }
    return all
  }
}

extension WeakCache: @unchecked Sendable where Key: Sendable, Value: Sendable {}
