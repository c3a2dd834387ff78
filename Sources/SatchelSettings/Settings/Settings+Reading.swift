import SatchelSystem
import SatchelValues

extension Settings {
  /// What `key` holds, or nil where it has no value. O(1) and the size of the value.
  ///
  /// - Throws: `corrupt` where the key's newest record is damaged; `invalid` for what cannot be a key.
  public func value(for key: String) throws(SatchelError) -> Value? {
    var bytes: [UInt8] = []
    guard try found(withKey(key) { store.readEncoded($0, $1, &bytes) }, key) else { return nil }
    return try store.decode(bytes, key)
  }

  /// What `key` holds as the type asked for, or nil where it has no value.
  ///
  /// - Throws: `type` or `range` where a conversion would lose something.
  public func get<T: ValueConvertible>(_ key: String, as type: T.Type = T.self) throws(SatchelError) -> T? {
    guard let value = try value(for: key) else { return nil }
    do { return try T(value: value) } catch { throw store.failure(error, key: key) }
  }

  /// The integer under `key`, without allocating. O(1).
  public func get(_ key: String, as type: Int64.Type = Int64.self) throws(SatchelError) -> Int64? {
    var out: Int64 = 0
    return try found(withKey(key) { store.readInt64($0, $1, &out) }, key, .reading(.int)) ? out : nil
  }

  /// The integer under `key`, without allocating. O(1).
  public func get(_ key: String, as type: Int.Type = Int.self) throws(SatchelError) -> Int? {
    try get(key, as: Int64.self).map { Int($0) }
  }

  /// The number under `key`, without allocating. O(1).
  public func get(_ key: String, as type: Double.Type = Double.self) throws(SatchelError) -> Double? {
    var out = 0.0
    return try found(withKey(key) { store.readDouble($0, $1, &out) }, key, .reading(.double)) ? out : nil
  }

  /// The truth value under `key`, without allocating. O(1).
  public func get(_ key: String, as type: Bool.Type = Bool.self) throws(SatchelError) -> Bool? {
    var out = false
    return try found(withKey(key) { store.readBool($0, $1, &out) }, key, .reading(.bool)) ? out : nil
  }

  /// Whether `key` has a value. O(1).
  public func contains(_ key: String) throws(SatchelError) -> Bool {
    try found(withKey(key) { store.contains($0, $1) }, key)
  }

  /// Who wrote what `key` holds, when and in which revision; nil where it has no value. O(1).
  public func info(for key: String) throws(SatchelError) -> KeyInfo? {
    var info: KeyInfo?
    return try found(withKey(key) { store.info($0, $1, &info) }, key) ? info : nil
  }

  /// Keys that have a value, in insertion order. O(n log n).
  public func keys() throws(SatchelError) -> [String] {
    var keys: [String] = []
    try store.forEachKey { keys.append(String(decoding: $0, as: UTF8.self)) }
    return keys
  }

  /// All keys and values of one instant, in insertion order. O(n log n).
  public func entries() throws(SatchelError) -> [(key: String, value: Value)] { try store.entries() }

  // MARK: Helpers

  /// Lends the key's bytes.
  @inline(__always)
  func withKey<R>(_ key: String, _ body: (UnsafeRawPointer, Int) -> R) -> R {
    func lend(_ bytes: UnsafeBufferPointer<UInt8>) -> R {
      body(UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped), bytes.count)
    }
    // `withUTF8` needs a string of its own, which it retains; hardly any string is not contiguous already.
    if let result = key.utf8.withContiguousStorageIfAvailable(lend) { return result }
    var key = key
    return key.withUTF8(lend)
  }

  /// True for a value, false for none; throws everything else.
  @inline(__always)
  private func found(
    _ code: SatchelError.Code?, _ key: String, _ request: Request? = nil
  ) throws(SatchelError) -> Bool {
    guard let code else { return true }
    return try isAbsent(code, key, request)
  }

  @inline(never)
  private func isAbsent(
    _ code: SatchelError.Code, _ key: String, _ request: Request?
  ) throws(SatchelError) -> Bool {
    guard code == .notFound else { throw store.failure(code, key: key, request) }
    // Only now is it worth a look whether this could be a key at all.
    try store.check(violation(of: key), key)
    return false
  }

  func violation(of key: String) -> SatchelError.Code? {
    var key = key
    return key.withUTF8 { Key.violation(UnsafeRawBufferPointer($0)) }
  }
}
