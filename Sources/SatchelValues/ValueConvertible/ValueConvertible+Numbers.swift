import SatchelSystem

extension ValueConvertible where Self: FixedWidthInteger & SignedInteger {
  /// Any whole number that fits.
  public init(value: Value) throws(SatchelError) {
    let number = try value.asInt64()
    guard let exact = Self(exactly: number) else { throw misfit(number, Self.self) }
    self = exact
  }

  /// Throws `.range` only where the type is wider than 64 bits.
  public func makeValue() throws(SatchelError) -> Value {
    guard let number = Int64(exactly: self) else { throw misfit(self, Int64.self) }
    return .int(number)
  }
}

extension ValueConvertible where Self: FixedWidthInteger & UnsignedInteger {
  /// Any whole number that fits.
  public init(value: Value) throws(SatchelError) {
    let number = try value.asUInt64()
    guard let exact = Self(exactly: number) else { throw misfit(number, Self.self) }
    self = exact
  }

  /// Throws `.range` only where the type is wider than 64 bits.
  public func makeValue() throws(SatchelError) -> Value {
    guard let number = UInt64(exactly: self) else { throw misfit(self, UInt64.self) }
    return Value(number)
  }
}

extension Int: ValueConvertible {}
extension Int8: ValueConvertible {}
extension Int16: ValueConvertible {}
extension Int32: ValueConvertible {}
extension Int64: ValueConvertible {}
extension UInt: ValueConvertible {}
extension UInt8: ValueConvertible {}
extension UInt16: ValueConvertible {}
extension UInt32: ValueConvertible {}
extension UInt64: ValueConvertible {}

extension Double: ValueConvertible {
  public init(value: Value) throws(SatchelError) { self = try value.asDouble() }
  public func makeValue() -> Value { .double(self) }
}

extension Float: ValueConvertible {
  /// Any number that a `Float` holds exactly.
  public init(value: Value) throws(SatchelError) {
    let number = try value.asDouble()
    let narrow = Float(number)
    guard number.isNaN || Double(narrow) == number else {
      throw SatchelError(.type, "\(number.exactText) cannot be read as a Float without loss")
    }
    self = narrow
  }

  public func makeValue() -> Value { .double(Double(self)) }
}

private func misfit(_ number: some FixedWidthInteger, _ type: (some FixedWidthInteger).Type) -> SatchelError {
  SatchelError(.range, "\(number) does not fit \(type)")
}
