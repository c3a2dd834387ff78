import SatchelSystem

/// A Swift type that a setting can hold.
///
/// Enums with a convertible raw value need only name the protocol:
///
///     enum Mode: String, ValueConvertible { case light, dark }
///
/// `Optional` is not convertible: a setting that may be absent is an absent key, not a stored nothing.
public protocol ValueConvertible: Sendable {
  /// Reads a value without loss. Throws `.type` for a value of another kind, `.range` for one that does not fit.
  init(value: Value) throws(SatchelError)

  /// The value to store. Throws when this one cannot be stored.
  func makeValue() throws(SatchelError) -> Value
}

extension ValueConvertible where Self: RawRepresentable, RawValue: ValueConvertible {
  /// Throws `.type` also for a raw value without a case.
  public init(value: Value) throws(SatchelError) {
    let rawValue = try RawValue(value: value)
    guard let known = Self(rawValue: rawValue) else {
      throw SatchelError(.type, "\(String(describing: rawValue).quoted) is no \(Self.self)")
    }
    self = known
  }

  public func makeValue() throws(SatchelError) -> Value { try rawValue.makeValue() }
}

extension Value: ValueConvertible {
  public init(value: Value) { self = value }
  public func makeValue() -> Value { self }
}

extension Bool: ValueConvertible {
  public init(value: Value) throws(SatchelError) { self = try value.asBool() }
  public func makeValue() -> Value { .bool(self) }
}

extension String: ValueConvertible {
  public init(value: Value) throws(SatchelError) { self = try value.asString() }
  public func makeValue() -> Value { .string(self) }
}

extension Timestamp: ValueConvertible {
  public init(value: Value) throws(SatchelError) { self = try value.asTimestamp() }
  public func makeValue() -> Value { .date(self) }
}

extension UniqueID: ValueConvertible {
  public init(value: Value) throws(SatchelError) { self = try value.asUniqueID() }
  public func makeValue() -> Value { .uuid(self) }
}

extension ValueDictionary: ValueConvertible {
  public init(value: Value) throws(SatchelError) { self = try value.asDictionary() }
  public func makeValue() -> Value { .dictionary(self) }
}
