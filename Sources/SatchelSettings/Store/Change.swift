import SatchelSystem

/// What a writer asks for: one key's new state, and what must hold before.
struct Change {
  enum Action {
    /// A CBOR item.
    case set(UnsafeRawBufferPointer)
    case remove
    case add(Int64)
  }

  enum Condition {
    case none
    case absent
    case present
    /// The same CBOR item, byte for byte.
    case equals(UnsafeRawBufferPointer)
    case revision(UInt64)
  }

  var key: UnsafeRawBufferPointer
  var action: Action
  var condition = Condition.none

  /// nil, or why the key or value cannot be stored.
  var limitViolation: SatchelError.Code? {
    if case .set(let value) = action, value.count > Frame.valueLimit { return .range }
    return Key.violation(key)
  }
}

/// The rules for keys: 1 to 1,024 bytes of UTF-8 without NUL.
package enum Key {
  package static let limit = Frame.keyLimit

  package static func violation(_ key: UnsafeRawBufferPointer) -> SatchelError.Code? {
    if key.isEmpty { return .invalid }
    if key.count > Frame.keyLimit { return .range }
    return isText(key) ? nil : .invalid
  }

  private static func isText(_ key: UnsafeRawBufferPointer) -> Bool {
    var bits: UInt8 = 0
    for byte in key {
      if byte == 0 { return false }
      bits |= byte
    }
    return bits < 0x80 || String(validating: key, as: UTF8.self) != nil
  }
}
