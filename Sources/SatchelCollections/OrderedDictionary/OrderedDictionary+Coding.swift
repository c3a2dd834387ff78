extension CodingUserInfoKey {
  /// What an encoder sets to true that keeps the order of the keys of its objects: ordered dictionaries with string keys become objects
  /// there. Satchel's `ValueEncoder` does.
  public static let keepsKeyOrder = CodingUserInfoKey(rawValue: "satchel.keepsKeyOrder").unsafelyUnwrapped
}

extension OrderedDictionary: Encodable where Key: Encodable, Value: Encodable {
  /// As an object, `{"b": 1, "a": 2}`, where keys are strings and the encoder says that it keeps their order; else as an array: key,
  /// value, key, value. So the order survives every format. `KeyedObject` makes it an object for an encoder like Foundation's
  /// `JSONEncoder` too, which keeps none.
  public func encode(to encoder: any Encoder) throws {
    if encoder.userInfo[.keepsKeyOrder] as? Bool == true, let keyed = self as? OrderedDictionary<String, Value> {
      return try KeyedObject(wrappedValue: keyed).encode(to: encoder)
    }
    var container = encoder.unkeyedContainer()
    for (key, value) in self {
      try container.encode(key)
      try container.encode(value)
    }
  }
}

extension OrderedDictionary: Decodable where Key: Decodable, Value: Decodable {
  /// From an array of keys and values; where keys are strings also from an object, in the order in which the decoder has its keys.
  public init(from decoder: any Decoder) throws {
    self.init()
    if Key.self == String.self, let container = try? decoder.container(keyedBy: AnyCodingKey.self) {
      for name in container.allKeys {
        guard let key = name.stringValue as? Key else { continue }
        updateValue(try container.decode(Value.self, forKey: name), forKey: key)
      }
      return
    }
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let key = try container.decode(Key.self)
      guard !container.isAtEnd else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "the last key has no value")
      }
      updateValue(try container.decode(Value.self), forKey: key)
    }
  }
}

/// An ordered dictionary that every encoder makes an object, `{"b": 1, "a": 2}`: for formats that others read, when their order may get lost.
///
/// ```swift
/// struct Request: Codable {
///   @KeyedObject var headers: OrderedDictionary<String, String> = [:]
/// }
/// ```
@propertyWrapper
public struct KeyedObject<Value> {
  public var wrappedValue: OrderedDictionary<String, Value>

  public init(wrappedValue: OrderedDictionary<String, Value>) { self.wrappedValue = wrappedValue }
}

extension KeyedObject: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: AnyCodingKey.self)
    for (key, value) in wrappedValue { try container.encode(value, forKey: AnyCodingKey(stringValue: key)) }
  }
}

extension KeyedObject: Decodable where Value: Decodable {
  /// From either form, like the dictionary itself.
  public init(from decoder: any Decoder) throws { wrappedValue = try OrderedDictionary(from: decoder) }
}

extension KeyedObject: Equatable where Value: Equatable {}
extension KeyedObject: Hashable where Value: Hashable {}
extension KeyedObject: Sendable where Value: Sendable {}

private struct AnyCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}
