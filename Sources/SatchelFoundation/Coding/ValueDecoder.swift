import Satchel

/// Makes what is `Decodable` from a value.
public struct ValueDecoder: Sendable {
  public init() {}

  /// Throws `.type`, naming the place, for a value of another shape, and `.range` for a number that does not fit.
  public func decode<T: Decodable>(_ type: T.Type = T.self, from value: Value) throws(SatchelError) -> T {
    do { return try DecodedNode(value, []).decode(type) } catch { throw SatchelError(coding: error) }
  }
}

/// One value, and where it stands.
private struct DecodedNode: Decoder, SingleValueDecodingContainer {
  let value: Value
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: Value, _ path: [any CodingKey]) {
    self.value = value
    codingPath = path
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    let entries = try reading(ValueDictionary.self) { () throws(SatchelError) in try value.asDictionary() }
    return KeyedDecodingContainer(KeyedDecoding(entries: entries, codingPath: codingPath))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let items = try reading([Value].self) { () throws(SatchelError) in try value.asArray() }
    return UnkeyedDecoding(items: items, codingPath: codingPath)
  }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // In two steps: nothing at all can be cast to an optional type.
    guard let whole = try leaf(type), let result = whole as? T else { return try T(from: self) }
    return result
  }

  /// What converts as a whole.
  private func leaf(_ type: any Decodable.Type) throws -> (any Decodable)? {
    try reading(type) { () throws(SatchelError) in
      if type == [UInt8].self { return try value.asData() }
      if type is any ElementwiseCoded.Type { return nil }
      // Wider than any value: these would ask the container, and that would ask them.
      if type == Int128.self { return try widened(Int128.self) }
      if type == UInt128.self { return try widened(UInt128.self) }
      return try (type as? any ValueConvertible.Type)?.init(value: value) as? any Decodable
    }
  }

  private func widened<T: FixedWidthInteger>(_ type: T.Type) throws(SatchelError) -> T {
    if value.type == .uint { return T(try value.asUInt64()) }
    let number = try value.asInt64()
    guard let wide = T(exactly: number) else { throw SatchelError(.range, "\(number) does not fit \(type)") }
    return wide
  }

  /// A `DecodingError`, since types that decode themselves catch those.
  private func reading<R>(_ type: any Any.Type, _ body: () throws(SatchelError) -> R) throws -> R {
    do throws(SatchelError) { return try body() } catch {
      throw DecodingError.typeMismatch(
        type,
        DecodingError.Context(codingPath: codingPath, debugDescription: error.message, underlyingError: error))
    }
  }
}

private struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let entries: ValueDictionary
  let codingPath: [any CodingKey]

  var allKeys: [Key] { entries.compactMap { Key(stringValue: $0.key) } }
  func contains(_ key: Key) -> Bool { entries[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try node(key).decodeNil() }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try node(key).decode(type) }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try node(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try node(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { try node(PlaceKey.super) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try node(key) }

  private func node(_ key: any CodingKey) throws -> DecodedNode {
    guard let value = entries[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, DecodingError.Context(codingPath: codingPath, debugDescription: "there is no \(key.stringValue)"))
    }
    return DecodedNode(value, codingPath + [key])
  }
}

private struct UnkeyedDecoding: UnkeyedDecodingContainer {
  let items: [Value]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(items: [Value], codingPath: [any CodingKey]) {
    self.items = items
    self.codingPath = codingPath
  }

  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  mutating func decodeNil() throws -> Bool {
    guard try current().decodeNil() else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try advance { try $0.decode(type) } }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try advance { try $0.container(keyedBy: type) }
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try advance { try $0.unkeyedContainer() }
  }
  mutating func superDecoder() throws -> any Decoder { try advance { $0 } }

  private func current() throws -> DecodedNode {
    let path = codingPath + [PlaceKey(index: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self, DecodingError.Context(codingPath: path, debugDescription: "there are only \(items.count) elements"))
    }
    return DecodedNode(items[currentIndex], path)
  }

  /// Stays where it is when `body` throws, so that another type can be tried.
  private mutating func advance<R>(_ body: (DecodedNode) throws -> R) throws -> R {
    let result = try body(current())
    currentIndex += 1
    return result
  }
}
