import SatchelSystem

/// What a setting can hold.
///
/// Equality is exact: strings and keys compare byte by byte (an NFC string and its NFD twin differ, unlike Swift's
/// `==`), `0.0` and `-0.0` differ, every NaN equals every NaN, and dictionaries are equal only in the same order.
public enum Value: Sendable {
  /// Nothing. A setting cannot hold it at the top (unset means that), only inside arrays and dictionaries.
  case null
  case bool(Bool)
  /// -2^63 … 2^63 - 1.
  case int(Int64)
  /// What does not fit `int`. Make it with `Value(_: UInt64)`, which chooses; a small number here counts as an `int`.
  case uint(UInt64)
  /// With the sign of zero, infinities and NaN. All NaN are one: the payload bits are not kept.
  case double(Double)
  case string(String)
  case data([UInt8])
  /// A point in time, in UTC, to the nanosecond.
  case date(Timestamp)
  /// Text that `Value.isURL` accepts.
  case url(String)
  case uuid(UniqueID)
  case array([Value])
  case dictionary(ValueDictionary)
}

extension Value {
  /// How many arrays and dictionaries may stand inside one another. Codecs refuse more with `.range`, so that no input
  /// can exhaust the stack.
  public static var nestingLimit: Int { 64 }

  /// An integer in its one form: `int` where it fits, `uint` above.
  public init(_ number: UInt64) {
    if let fitting = Int64(exactly: number) { self = .int(fitting) } else { self = .uint(number) }
  }

  /// What the value is. O(1).
  public var type: ValueType {
    switch self {
    case .null: .null
    case .bool: .bool
    case .int: .int
    case .uint(let number): number > UInt64(Int64.max) ? .uint : .int
    case .double: .double
    case .string: .string
    case .data: .data
    case .date: .date
    case .url: .url
    case .uuid: .uuid
    case .array: .array
    case .dictionary: .dictionary
    }
  }

  /// Whether more than `limit` containers stand inside one another; a scalar has none. O(size), stops at the limit, so
  /// it is safe on any value.
  public func isNested(deeperThan limit: Int) -> Bool {
    switch self {
    case .array(let items):
      limit <= 0 || items.contains { $0.isNested(deeperThan: limit - 1) }
    case .dictionary(let entries):
      limit <= 0 || entries.contains { $0.value.isNested(deeperThan: limit - 1) }
    default: false
    }
  }

  static var tooDeep: SatchelError {
    SatchelError(.range, "arrays and dictionaries are nested deeper than \(nestingLimit)")
  }
}
