import SatchelSystem
import SatchelValues

extension Settings {
  /// Sets `key`: one revision. O(size).
  ///
  /// - Throws: `range`, `invalid`, `denied`, `readOnly`, `full`, `timeout`, `locked`, `busy`, `noMemory`; nothing is written then.
  ///   With durability `disk` also `io` where the disk refuses it: then it is visible to everybody, but a power cut may take it, and
  ///   this handle writes no more.
  public func set(_ value: some ValueConvertible, for key: String) throws(SatchelError) {
    let made: Value
    do { made = try value.makeValue() } catch { throw store.failure(error, key: key) }
    try set(made, for: key)
  }

  /// Sets `key`: one revision. O(size).
  public func set(_ value: Value, for key: String) throws(SatchelError) {
    try write(key, .set(store.encoded(value, key: key)))
  }

  /// Removes `key`; false where it had no value.
  @discardableResult
  public func remove(_ key: String) throws(SatchelError) -> Bool {
    try holds(key, .remove, .present)
  }

  /// Adds to an integer, exactly, whoever else adds; an absent key counts as 0. Returns the sum.
  ///
  /// - Throws: `type` where it holds something else, `range` where the sum does not fit 64 bits.
  @discardableResult
  public func add(_ key: String, _ delta: Int64) throws(SatchelError) -> Int64 {
    try write(key, .add(delta)).sum
  }

  /// Sets `key` to `desired` (nil removes it) if it holds `expected` now (nil: if it is absent); false where it does not.
  public func compareAndSet(_ key: String, expected: Value?, desired: Value?) throws(SatchelError) -> Bool {
    guard let expected else { return try holds(key, action(desired, key), .absent) }
    return try holds(key, action(desired, key), .equals(store.encoded(expected, key: key)))
  }

  /// The same, if `key` was last set by `revision` (0: if it is absent).
  public func compareAndSet(_ key: String, revision: UInt64, desired: Value?) throws(SatchelError) -> Bool {
    try holds(key, action(desired, key), .revision(revision))
  }

  /// Returns when everything acknowledged so far is on disk. After a failure this handle writes no more.
  public func sync() throws(SatchelError) { try store.check(store.sync(), nil) }

  /// Rewrites the file without what is no longer needed. It happens by itself as the file grows. O(file).
  public func compact() throws(SatchelError) { try store.compact() }

  /// How the domain is. O(file).
  public func health() throws(SatchelError) -> Health { try store.health() }

  /// Accepts the loss of a damaged record: `key` answers its newest sound value again, or is absent. nil accepts all.
  ///
  /// - Throws: `notFound` where nothing is damaged there.
  public func accept(_ key: String?) throws(SatchelError) {
    try store.check(store.accept(key.map { Array($0.utf8) }), key)
  }

  /// Sleeps until the revision is above `revision`, wherever that happens; the newest revision, or nil after `timeout`.
  ///
  /// - Throws: `busy` inside the thread's own transaction, where nobody else could write.
  public func wait(after revision: UInt64, timeout: Duration? = nil) throws(SatchelError) -> UInt64? {
    var newest: UInt64 = 0
    let code = store.wait(since: revision, timeout: timeout?.clampedNanoseconds ?? -1, revision: &newest)
    if code == .timeout { return nil }
    try store.check(code, nil)
    return newest
  }

  // MARK: Helpers

  /// An action or condition with bytes that it keeps.
  enum Action {
    case set([UInt8])
    case remove
    case add(Int64)
  }
  enum Condition {
    case none, absent, present
    case equals([UInt8])
    case revision(UInt64)
  }

  private func action(_ desired: Value?, _ key: String) throws(SatchelError) -> Action {
    guard let desired else { return .remove }
    return .set(try store.encoded(desired, key: key))
  }

  /// False where the condition does not hold.
  private func holds(_ key: String, _ action: Action, _ condition: Condition) throws(SatchelError) -> Bool {
    do {
      try write(key, action, condition)
      return true
    } catch {
      if error.code == .conflict || error.code == .notFound { return false }
      throw error
    }
  }

  @discardableResult
  private func write(
    _ key: String, _ action: Action, _ condition: Condition = .none
  ) throws(SatchelError) -> StorePointer.Written {
    var written = StorePointer.Written()
    var name = key
    let code = name.withUTF8 { text in
      action.withChange { action in
        condition.withCondition { condition in
          store.write(Change(key: UnsafeRawBufferPointer(text), action: action, condition: condition), &written)
        }
      }
    }
    try store.check(code, key, action.request)
    return written
  }
}

extension Settings.Action {
  fileprivate var request: Request? {
    switch self {
    case .set(let bytes): .writing(bytes.count)
    case .remove: nil
    case .add(let delta): .adding(delta)
    }
  }

  fileprivate func withChange<R>(_ body: (Change.Action) -> R) -> R {
    switch self {
    case .set(let bytes): bytes.withUnsafeBytes { body(.set($0)) }
    case .remove: body(.remove)
    case .add(let delta): body(.add(delta))
    }
  }
}

extension Settings.Condition {
  fileprivate func withCondition<R>(_ body: (Change.Condition) -> R) -> R {
    switch self {
    case .none: body(.none)
    case .absent: body(.absent)
    case .present: body(.present)
    case .equals(let bytes): bytes.withUnsafeBytes { body(.equals($0)) }
    case .revision(let revision): body(.revision(revision))
    }
  }
}
