import SatchelSystem

// Reading a value as another type: the table is in docs/values.md. Lossless, or an error; never a guess.

extension Value {
  /// Throws `.type` unless the value is a bool: a number is never one.
  public func asBool() throws(SatchelError) -> Bool {
    guard case .bool(let flag) = self else { throw mismatch(.bool) }
    return flag
  }

  /// Any number that is whole. Throws `.range` when it does not fit, `.type` when something would be lost.
  public func asInt64() throws(SatchelError) -> Int64 {
    var number: Int64 = 0
    let failure: SatchelError.Code?
    switch self {
    case .int(let exact): return exact
    case .uint(let other): failure = Lossless.int64(other, &number)
    case .double(let other): failure = Lossless.int64(other, &number)
    default: failure = .type
    }
    if let failure { throw mismatch(.int, failure) }
    return number
  }

  /// Any number that is whole and not negative. Throws `.range` when it does not fit, `.type` when something would be
  /// lost.
  public func asUInt64() throws(SatchelError) -> UInt64 {
    var number: UInt64 = 0
    let failure: SatchelError.Code?
    switch self {
    case .uint(let exact): return exact
    case .int(let other): failure = Lossless.uint64(other, &number)
    case .double(let other): failure = Lossless.uint64(other, &number)
    default: failure = .type
    }
    if let failure { throw mismatch(.uint, failure) }
    return number
  }

  /// Any number that a double holds exactly. Throws `.type` otherwise, for example for 2^53 + 1.
  public func asDouble() throws(SatchelError) -> Double {
    var number = 0.0
    let failure: SatchelError.Code?
    switch self {
    case .double(let exact): return exact
    case .int(let other): failure = Lossless.double(other, &number)
    case .uint(let other): failure = Lossless.double(other, &number)
    default: failure = .type
    }
    if let failure { throw mismatch(.double, failure) }
    return number
  }

  /// A string, or the text of a URL. Throws `.type` otherwise.
  public func asString() throws(SatchelError) -> String {
    switch self {
    case .string(let text), .url(let text): return text
    default: throw mismatch(.string)
    }
  }

  /// Throws `.type` unless the value is data.
  public func asData() throws(SatchelError) -> [UInt8] {
    guard case .data(let bytes) = self else { throw mismatch(.data) }
    return bytes
  }

  /// Throws `.type` unless the value is a date.
  public func asTimestamp() throws(SatchelError) -> Timestamp {
    guard case .date(let time) = self else { throw mismatch(.date) }
    return time
  }

  /// A URL, or a string that is an absolute one (`isAbsoluteURL`). Throws `.type` otherwise.
  public func asURL() throws(SatchelError) -> String {
    switch self {
    case .url(let text): return text
    case .string(let text) where Value.isAbsoluteURL(text): return text
    default: throw mismatch(.url)
    }
  }

  /// Throws `.type` unless the value is a UUID.
  public func asUniqueID() throws(SatchelError) -> UniqueID {
    guard case .uuid(let id) = self else { throw mismatch(.uuid) }
    return id
  }

  /// Throws `.type` unless the value is an array.
  public func asArray() throws(SatchelError) -> [Value] {
    guard case .array(let items) = self else { throw mismatch(.array) }
    return items
  }

  /// Throws `.type` unless the value is a dictionary.
  public func asDictionary() throws(SatchelError) -> ValueDictionary {
    guard case .dictionary(let entries) = self else { throw mismatch(.dictionary) }
    return entries
  }

  /// The same value as another type, by the function above of that type.
  public func converted(to type: ValueType) throws(SatchelError) -> Value {
    switch type {
    case .bool: return .bool(try asBool())
    case .int: return .int(try asInt64())
    case .uint: return Value(try asUInt64())
    case .double: return .double(try asDouble())
    case .string: return .string(try asString())
    case .data: return .data(try asData())
    case .date: return .date(try asTimestamp())
    case .url: return .url(try asURL())
    case .uuid: return .uuid(try asUniqueID())
    case .array: return .array(try asArray())
    case .dictionary: return .dictionary(try asDictionary())
    case .null:
      guard self == .null else { throw mismatch(.null) }
      return self
    }
  }
}

extension Value {
  /// The error of reading this value as `wanted`.
  package func mismatch(_ wanted: ValueType, _ code: SatchelError.Code = .type) -> SatchelError {
    let number =
      switch self {
      case .int(let number): String(number)
      case .uint(let number): String(number)
      case .double(let number): number.exactText
      default: ""
      }
    if code == .range { return SatchelError(.range, "\(number) does not fit \(wanted.phrase)") }
    let wantsNumber = wanted == .int || wanted == .uint || wanted == .double
    if wantsNumber, !number.isEmpty {
      return SatchelError(.type, "\(number) cannot be read as \(wanted.phrase) without loss")
    }
    return SatchelError(.type, "is \(type.phrase), not \(wanted.phrase)")
  }

  /// The error of adding `delta` to this value, which is no integer or too large a one.
  package func refusal(adding delta: Int64) -> SatchelError {
    guard type == .int || type == .uint else { return SatchelError(.type, "is \(type.phrase), not an int") }
    guard case .int(let number) = self else { return mismatch(.int, .range) }
    return SatchelError(.range, "\(number) plus \(delta) does not fit an int")
  }
}
