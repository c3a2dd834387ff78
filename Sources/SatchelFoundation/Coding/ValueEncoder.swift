import Satchel

/// Turns what is `Encodable` into a value.
public struct ValueEncoder: Sendable {
  public init() {}

  /// Throws `.invalid` or `.range`, naming the place, for what a value cannot hold.
  public func encode(_ value: some Encodable) throws(SatchelError) -> Value {
    do { return try EncodedNode(path: []).filled(with: value).value() } catch { throw SatchelError(coding: error) }
  }
}

/// What encoding one value leaves behind.
private final class EncodedNode: Encoder {
  enum Content {
    case nothing
    case single(Value)
    case list([EncodedNode])
    case entries([(key: String, node: EncodedNode)])
  }
  var content = Content.nothing
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [.keepsKeyOrder: true] }
  /// Of a type without order: how many items of a list belong together.
  private var unordered: Int?

  init(path: [any CodingKey]) { codingPath = path }

  func filled<T: Encodable>(with value: T) throws -> EncodedNode {
    guard codingPath.count <= Value.nestingLimit else {
      throw SatchelError(.range, "nested deeper than \(Value.nestingLimit)")
    }
    if let whole = try leaf(value) {
      content = .single(whole)
    } else {
      unordered = (value as? any Unordered).map { type(of: $0).itemsTogether }
      try value.encode(to: self)
    }
    return self
  }

  /// What converts as a whole.
  private func leaf(_ value: some Encodable) throws(SatchelError) -> Value? {
    do throws(SatchelError) {
      // By its type: every empty array can be cast to this one.
      if type(of: value) == [UInt8].self, let bytes = value as? [UInt8] { return .data(bytes) }
      if value is any ElementwiseCoded { return nil }
      // Wider than any value: these would ask the container, and that would ask them.
      if let number = value as? Int128 { return try Self.narrowed(number) }
      if let number = value as? UInt128 { return try Self.narrowed(number) }
      return try (value as? any ValueConvertible)?.makeValue()
    } catch {
      throw error.at(codingPath)
    }
  }

  private static func narrowed(_ number: some FixedWidthInteger) throws(SatchelError) -> Value {
    if let narrow = Int64(exactly: number) { return .int(narrow) }
    guard let narrow = UInt64(exactly: number) else { throw SatchelError(.range, "\(number) does not fit 64 bits") }
    return Value(narrow)
  }

  func value() throws -> Value {
    switch content {
    case .nothing: throw SatchelError(.invalid, "it encodes nothing").at(codingPath)
    case .single(let value): return value
    case .list(let nodes):
      let items = try nodes.map { try $0.value() }
      guard let unordered, items.count % unordered == 0 else { return .array(items) }
      return .array(try Self.sorted(items, by: unordered))
    case .entries(var entries):
      if unordered != nil { entries.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) } }
      var dictionary = ValueDictionary(minimumCapacity: entries.count)
      for (key, node) in entries { dictionary.updateValue(try node.value(), forKey: key) }
      return .dictionary(dictionary)
    }
  }

  /// By the bytes of each group's first item.
  private static func sorted(_ items: [Value], by group: Int) throws(SatchelError) -> [Value] {
    var groups: [(bytes: [UInt8], start: Int)] = []
    for start in stride(from: 0, to: items.count, by: group) { groups.append((try CBOR.encode(items[start]), start)) }
    groups.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    return groups.flatMap { items[$0.start..<($0.start + group)] }
  }

  // MARK: Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .nothing = content { content = .entries([]) }
    return KeyedEncodingContainer(KeyedEncoding(node: self))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .nothing = content { content = .list([]) }
    return UnkeyedEncoding(node: self)
  }
  func singleValueContainer() -> any SingleValueEncodingContainer { SingleEncoding(node: self) }

  func child(_ key: any CodingKey) -> EncodedNode {
    let node = EncodedNode(path: codingPath + [key])
    if case .entries(var entries) = content {
      content = .nothing  // the only reference, so that appending copies nothing
      entries.append((key.stringValue, node))
      content = .entries(entries)
    }
    return node
  }

  func next() -> EncodedNode {
    let node = EncodedNode(path: codingPath + [PlaceKey(index: count)])
    if case .list(var nodes) = content {
      content = .nothing
      nodes.append(node)
      content = .list(nodes)
    }
    return node
  }

  var count: Int { if case .list(let nodes) = content { nodes.count } else { 0 } }
}

/// Types whose elements come in another order in each process.
private protocol Unordered {
  static var itemsTogether: Int { get }
}
extension Set: Unordered { static var itemsTogether: Int { 1 } }
/// Where its keys are no keys of a value, it is encoded as keys and values by turns.
extension Dictionary: Unordered { static var itemsTogether: Int { 2 } }

private struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodedNode
  var codingPath: [any CodingKey] { node.codingPath }

  func encodeNil(forKey key: Key) { node.child(key).content = .single(.null) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { _ = try node.child(key).filled(with: value) }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    node.child(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { node.child(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { node.child(PlaceKey.super) }
  func superEncoder(forKey key: Key) -> any Encoder { node.child(key) }
}

private struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let node: EncodedNode
  var codingPath: [any CodingKey] { node.codingPath }
  var count: Int { node.count }

  func encodeNil() { node.next().content = .single(.null) }
  func encode<T: Encodable>(_ value: T) throws { _ = try node.next().filled(with: value) }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    node.next().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.next().unkeyedContainer() }
  func superEncoder() -> any Encoder { node.next() }
}

private struct SingleEncoding: SingleValueEncodingContainer {
  let node: EncodedNode
  var codingPath: [any CodingKey] { node.codingPath }

  func encodeNil() { node.content = .single(.null) }
  func encode<T: Encodable>(_ value: T) throws { _ = try node.filled(with: value) }
}
