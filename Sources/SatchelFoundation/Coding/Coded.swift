import Satchel

/// Any `Codable` type as one that a setting can hold: `try settings.get("profile", as: Coded<Profile>.self)`.
///
/// A structure becomes a dictionary in the order in which it encodes, an optional without a value null, and a type that is
/// convertible by itself (`Date`, `Data`, `URL`, `UUID`, `[UInt8]`, numbers, text) what it is elsewhere in a setting.
/// Dictionaries, which have no order, are ordered by the bytes of their keys.
public struct Coded<Wrapped: Codable & Sendable>: ValueConvertible {
  public var wrapped: Wrapped

  public init(_ wrapped: Wrapped) { self.wrapped = wrapped }
  public init(value: Value) throws(SatchelError) { wrapped = try ValueDecoder().decode(Wrapped.self, from: value) }
  public func makeValue() throws(SatchelError) -> Value { try ValueEncoder().encode(wrapped) }
}

extension Coded: Equatable where Wrapped: Equatable {}
extension Coded: Hashable where Wrapped: Hashable {}

extension Settings {
  /// What `key` holds, decoded; nil where it has no value. The error of a failure names the place: `address.lines[2]: …`.
  public func get<T: Codable & Sendable>(_ key: String, decoding type: T.Type = T.self) throws(SatchelError) -> T? {
    try get(key, as: Coded<T>.self)?.wrapped
  }

  /// Sets `key` to what `value` encodes to: one revision.
  public func set<T: Codable & Sendable>(encoding value: T, for key: String) throws(SatchelError) {
    try set(Coded(value), for: key)
  }
}

extension Transaction {
  /// What `key` holds, decoded, the transaction's own changes included.
  public func get<T: Codable & Sendable>(_ key: String, decoding type: T.Type = T.self) throws(SatchelError) -> T? {
    try get(key, as: Coded<T>.self)?.wrapped
  }

  /// Sets `key` to what `value` encodes to.
  public func set<T: Codable & Sendable>(encoding value: T, for key: String) throws(SatchelError) {
    try set(Coded(value), for: key)
  }
}
