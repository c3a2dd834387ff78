import SatchelSystem

/// Values under string keys, in the order in which keys were first put.
///
/// Keys compare byte by byte, so NFC and NFD twins are two keys. Look-up is O(1); putting a value under a key that is
/// there keeps its place. Removal is O(n).
public struct ValueDictionary: Sendable {
  struct Entry: Sendable {
    let key: String
    var value: Value
  }

  private(set) var entries: [Entry] = []
  /// Where each key stands; empty while there are so few that a scan is faster.
  private var places: [ByteKey: Int] = [:]

  private static var scanLimit: Int { 8 }

  public init() {}

  /// Room for that many entries. The number is a hint and may come from a file, so it is not trusted without limit.
  public init(minimumCapacity: Int) {
    entries.reserveCapacity(Swift.min(Swift.max(minimumCapacity, 0), 1024))
  }

  /// The same where the number comes from a file or a text; throws `.noMemory`.
  init(claiming count: Int) throws(SatchelError) {
    try Memory.claim(Swift.min(count, 1024) * MemoryLayout<Entry>.stride)
    self.init(minimumCapacity: count)
  }

  /// Claims what the next new key will allocate; throws `.noMemory`. `isShared`: a copy of this dictionary is about, so the first
  /// change makes another.
  package func claimRoom(isShared: Bool = false) throws(SatchelError) {
    if isShared {
      try Memory.claim((entries.count + 1) * 2 * MemoryLayout<Entry>.stride)
    } else {
      try entries.claimRoom()
    }
    guard entries.count >= Self.scanLimit, isShared || entries.count >= places.capacity else { return }
    // A table is at most three quarters full, and doubles.
    try Memory.claim((Swift.max(places.capacity, entries.count) + 1) * 4 * MemoryLayout<(ByteKey, Int)>.stride)
  }

  /// All keys in order. O(n).
  public var keys: [String] { entries.map(\.key) }

  /// All values in order. O(n).
  public var values: [Value] { entries.map(\.value) }

  /// The value under `key`. Setting nil removes it. O(1), removal O(n).
  public subscript(key: String) -> Value? {
    get { position(of: key).map { entries[$0].value } }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeValue(forKey: key) }
    }
  }

  /// Where `key` stands, or nil. O(1).
  public func position(of key: String) -> Int? {
    if entries.count <= Self.scanLimit { return entries.firstIndex { $0.key.isSameBytes(as: key) } }
    return places[ByteKey(text: key)]
  }

  /// Puts a value; an existing key keeps its place, a new one goes to the end. Returns what was there. O(1).
  @discardableResult
  public mutating func updateValue(_ value: Value, forKey key: String) -> Value? {
    guard let place = position(of: key) else {
      add(value, forKey: key)
      return nil
    }
    let old = entries[place].value
    entries[place].value = value
    return old
  }

  /// Puts a value under a new key at the end; false, and nothing changes, when the key is there. O(1).
  @discardableResult
  public mutating func append(_ value: Value, forKey key: String) -> Bool {
    guard position(of: key) == nil else { return false }
    add(value, forKey: key)
    return true
  }

  /// Removes a key and keeps the order of the others. Returns what was there. O(n).
  @discardableResult
  public mutating func removeValue(forKey key: String) -> Value? {
    guard let place = position(of: key) else { return nil }
    let removed = entries.remove(at: place).value
    rebuildPlaces()
    return removed
  }

  /// Removes everything. O(n).
  public mutating func removeAll() {
    entries.removeAll()
    places.removeAll()
  }

  private mutating func add(_ value: Value, forKey key: String) {
    entries.append(Entry(key: key, value: value))
    if entries.count == Self.scanLimit + 1 {
      rebuildPlaces()
    } else if entries.count > Self.scanLimit {
      places[ByteKey(text: key)] = entries.count - 1
    }
  }

  private mutating func rebuildPlaces() {
    places.removeAll(keepingCapacity: true)
    guard entries.count > Self.scanLimit else { return }
    for (place, entry) in entries.enumerated() { places[ByteKey(text: entry.key)] = place }
  }
}
