import SatchelSystem
import SatchelValues
import Synchronization

/// Several keys, all or nothing, one revision. Between its begin and its commit nobody else writes to the domain, so what is
/// read stays true. It belongs to one thread at a time.
public final class Transaction {
  private let store: StorePointer
  private let owner: UInt64
  private var changes = PendingChanges()
  private var isOver = false
  /// A change was refused because all of them together would have been too large for one transaction.
  package private(set) var isFull = false

  /// Takes the domain's lock and keeps it until `commit` or `rollback`.
  package init(_ store: StorePointer) throws(SatchelError) {
    try store.check(store.beginTransaction(), nil)
    store.retain()
    self.store = store
    owner = Identity.mine
  }

  deinit {
    rollback()
    store.release()
  }

  /// What `key` holds, the transaction's own changes included.
  public func value(for key: String) throws(SatchelError) -> Value? {
    guard let bytes = try encoded(key) else { return nil }
    return try store.decode(bytes, key)
  }

  /// The same, as the type asked for.
  public func get<T: ValueConvertible>(_ key: String, as type: T.Type = T.self) throws(SatchelError) -> T? {
    guard let value = try value(for: key) else { return nil }
    do { return try T(value: value) } catch { throw store.failure(error, key: key) }
  }

  public func set(_ value: some ValueConvertible, for key: String) throws(SatchelError) {
    let made: Value
    do { made = try value.makeValue() } catch { throw store.failure(error, key: key) }
    try set(made, for: key)
  }

  public func set(_ value: Value, for key: String) throws(SatchelError) {
    try put(key, try store.encoded(value, key: key))
  }

  /// Removes `key`; false where it had no value.
  @discardableResult
  public func remove(_ key: String) throws(SatchelError) -> Bool {
    guard try encoded(key) != nil else { return false }
    try put(key, nil)
    return true
  }

  /// Adds to an integer; an absent key counts as 0. Returns the sum.
  @discardableResult
  public func add(_ key: String, _ delta: Int64) throws(SatchelError) -> Int64 {
    let value = try value(for: key) ?? .int(0)
    guard case .int(let old) = value else { throw store.failure(value.refusal(adding: delta), key: key) }
    let (sum, overflow) = old.addingReportingOverflow(delta)
    if overflow { throw store.failure(value.refusal(adding: delta), key: key) }
    try set(Value.int(sum), for: key)
    return sum
  }

  // MARK: Ending

  /// Writes all of it and ends. Returns the new revision, or the present one where nothing was changed.
  package func commit() throws(SatchelError) -> UInt64 {
    try checkOwner(nil)
    var revision: UInt64 = 0
    let hasChanges = !changes.entries.isEmpty
    let code = hasChanges ? store.commit(changes, &revision) : store.revision(&revision)
    let rest = store.restOfWrite
    finish()
    try store.check(code, nil)
    if hasChanges { try store.check(store.afterWrite(rest), nil) }
    return revision
  }

  /// Forgets all of it and ends.
  package func rollback() {
    guard !isOver, Identity.mine == owner else { return }
    finish()
  }

  private func finish() {
    isOver = true
    store.endTransaction()
  }

  // MARK: Helpers

  private func checkOwner(_ key: String?) throws(SatchelError) {
    if Identity.mine != owner {
      throw SatchelError(
        .conflict, "this transaction belongs to the parent process", domain: store.pointee.domain,
        path: store.pointee.path, key: key)
    }
    if isOver { throw SatchelError(.invalid, "this transaction has ended", domain: store.pointee.domain, key: key) }
  }

  private func encoded(_ key: String) throws(SatchelError) -> [UInt8]? {
    try checkOwner(key)
    let name = Array(key.utf8)
    try store.check(name.withUnsafeBytes { Key.violation($0) }, key)
    if let entry = changes.entries[name] { return entry.value }
    var bytes: [UInt8] = []
    let code = store.encodedInTransaction(name, &bytes)
    if code == .notFound { return nil }
    try store.check(code, key)
    return bytes
  }

  private func put(_ key: String, _ value: [UInt8]?) throws(SatchelError) {
    try checkOwner(key)
    let name = Array(key.utf8)
    try store.check(name.withUnsafeBytes { Key.violation($0) }, key)
    if let value, value.count > Frame.valueLimit {
      throw store.failure(.range, key: key, .writing(value.count))
    }
    guard let code = changes.put(name, hash: store.hash(of: name), value) else { return }
    guard code == .range else { throw store.failure(code, key: key) }
    isFull = true
    throw SatchelError(
      .range, "a transaction holds up to 64 MiB and \(Frame.recordLimit) keys, and this would be more",
      domain: store.pointee.domain, path: store.pointee.path, key: key)
  }
}

extension Settings {
  /// Runs `body`, then writes everything it changed as one revision; where it throws, nothing is written.
  ///
  /// Others wait meanwhile, so keep it short. Writing through `self` inside of it throws `busy`.
  @discardableResult
  public func transaction<R>(_ body: (Transaction) throws -> R) throws -> R {
    let transaction = try Transaction(store)
    do {
      let result = try body(transaction)
      _ = try transaction.commit()
      return result
    } catch {
      transaction.rollback()
      throw error
    }
  }
}
