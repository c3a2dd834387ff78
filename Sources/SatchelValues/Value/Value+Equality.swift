extension Value: Equatable {
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.int(let a), .uint(let b)), (.uint(let b), .int(let a)): UInt64(exactly: a) == b
    case (.double(let a), .double(let b)): a.canonicalBits == b.canonicalBits
    case (.string(let a), .string(let b)), (.url(let a), .url(let b)): a.isSameBytes(as: b)
    case (.data(let a), .data(let b)): a == b
    case (.date(let a), .date(let b)): a == b
    case (.uuid(let a), .uuid(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.dictionary(let a), .dictionary(let b)): a == b
    default: false
    }
  }
}

extension Value: Hashable {
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    switch self {
    case .null: break
    case .bool(let flag): hasher.combine(flag)
    case .int(let number): hasher.combine(UInt64(bitPattern: number))
    case .uint(let number): hasher.combine(number)
    case .double(let number): hasher.combine(number.canonicalBits)
    case .string(let text), .url(let text): text.hashBytes(into: &hasher)
    case .data(let bytes): hasher.combine(bytes)
    case .date(let time): hasher.combine(time)
    case .uuid(let id): hasher.combine(id)
    case .array(let items): hasher.combine(items)
    case .dictionary(let entries): hasher.combine(entries)
    }
  }
}

extension Double {
  /// The bits that stand for this number on disk and in comparisons: its own, or those of the one NaN.
  @inlinable var canonicalBits: UInt64 { isNaN ? 0x7ff8_0000_0000_0000 : bitPattern }
}
