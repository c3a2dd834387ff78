import SatchelCollections
import SatchelSystem

/// Values under string keys, in the order in which keys were first put.
///
/// Keys compare byte by byte, so NFC and NFD twins are two keys. Look-up is O(1); putting a value under a key that is
/// there keeps its place, removal keeps the places of the others. Both are O(1). Positions are O(1) until something was removed,
/// O(log n) from then on.
public struct ValueDictionary: Sendable {
  private(set) var entries = OrderedDictionary<ByteKey, Value>()

  public init() {}

  /// Room for that many entries. The number is a hint and may come from a file, so it is not trusted without limit.
  public init(minimumCapacity: Int) {
    entries = OrderedDictionary(minimumCapacity: Swift.min(minimumCapacity, 1024))
  }

  /// The same where the number comes from a file or a text; throws `.noMemory`.
  init(claiming count: Int) throws(SatchelError) {
    try Memory.claim(OrderedDictionary<ByteKey, Value>.byteCount(minimumCapacity: Swift.min(count, 1024)))
    self.init(minimumCapacity: count)
  }

  /// Claims what the next new key will allocate; throws `.noMemory`. `isShared`: a copy of this dictionary is about, so the first
  /// change makes another.
  package func claimRoom(isShared: Bool = false) throws(SatchelError) {
    try Memory.claim(entries.byteCountOfGrowth(isShared: isShared))
  }

  /// All keys in order. O(n).
  public var keys: [String] { entries.keys.map(\.text) }

  /// All values in order. O(n).
  public var values: [Value] { Array(entries.values) }

  /// The value under `key`. Setting nil removes it. O(1).
  public subscript(key: String) -> Value? {
    get { entries[ByteKey(text: key)] }
    set { entries[ByteKey(text: key)] = newValue }
  }

  /// Where `key` stands, or nil. O(1) until something was removed, then O(log n).
  public func position(of key: String) -> Int? { entries.position(of: ByteKey(text: key)) }

  /// Puts a value; an existing key keeps its place, a new one goes to the end. Returns what was there. O(1).
  @discardableResult
  public mutating func updateValue(_ value: Value, forKey key: String) -> Value? {
    entries.updateValue(value, forKey: ByteKey(text: key))
  }

  /// Puts a value under a new key at the end; false, and nothing changes, when the key is there. O(1).
  @discardableResult
  public mutating func append(_ value: Value, forKey key: String) -> Bool {
    entries.append(value, forKey: ByteKey(text: key))
  }

  /// Removes a key and keeps the order of the others. Returns what was there. O(1).
  @discardableResult
  public mutating func removeValue(forKey key: String) -> Value? { entries.removeValue(forKey: ByteKey(text: key)) }

  /// Removes everything. O(n).
  public mutating func removeAll() { entries.removeAll() }
}
