import SatchelSystem

extension CBOR {
  /// The value as one CBOR item. Throws `.range` when it is nested deeper than `Value.nestingLimit`, `.invalid` for a
  /// URL that `Value.isURL` refuses, `.noMemory`. O(size).
  public static func encode(_ value: Value) throws(SatchelError) -> [UInt8] {
    var output: [UInt8] = []
    try encode(value, into: &output)
    return output
  }

  /// Appends the value as one CBOR item; what was appended before an error stays. Errors as `encode(_:)`. O(size).
  public static func encode(_ value: Value, into output: inout [UInt8]) throws(SatchelError) {
    try append(value, depth: 0, to: &output)
  }

  private static func append(_ value: Value, depth: Int, to output: inout [UInt8]) throws(SatchelError) {
    switch value {
    case .null: try append(to: &output) { writeNull(to: $0) }
    case .bool(let flag): try append(to: &output) { writeBool(flag, to: $0) }
    case .int(let number): try append(to: &output) { writeInt64(number, to: $0) }
    case .uint(let number): try append(to: &output) { writeUInt64(number, to: $0) }
    case .double(let number): try append(to: &output) { writeDouble(number, to: $0) }
    case .date(let time): try append(to: &output) { writeTimestamp(time, to: $0) }
    case .uuid(let id): try append(to: &output) { writeUniqueID(id, to: $0) }
    case .string(let text): try append(text, to: &output)
    case .data(let bytes):
      try append(to: &output) { writeDataHeader(count: bytes.count, to: $0) }
      try append(bytes, to: &output)
    case .url(let text):
      guard Value.isURL(text) else { throw SatchelError(.invalid, "\(text.quoted) is not a URL") }
      try append(to: &output) { writeURLHeader(count: text.utf8.count, to: $0) }
      try append(text.utf8, to: &output)
    case .array(let items): try append(items, depth: depth, to: &output)
    case .dictionary(let entries): try append(entries, depth: depth, to: &output)
    }
  }

  private static func append(_ items: [Value], depth: Int, to output: inout [UInt8]) throws(SatchelError) {
    guard depth < Value.nestingLimit else { throw Value.tooDeep }
    try append(to: &output) { writeHead(major: 4, UInt64(items.count), to: $0) }
    for item in items { try append(item, depth: depth + 1, to: &output) }
  }

  private static func append(_ entries: ValueDictionary, depth: Int, to output: inout [UInt8]) throws(SatchelError) {
    guard depth < Value.nestingLimit else { throw Value.tooDeep }
    try append(to: &output) { writeHead(major: 5, UInt64(entries.count), to: $0) }
    for (key, value) in entries {
      try append(key, to: &output)
      try append(value, depth: depth + 1, to: &output)
    }
  }

  private static func append(_ text: String, to output: inout [UInt8]) throws(SatchelError) {
    try append(to: &output) { writeTextHeader(count: text.utf8.count, to: $0) }
    try append(text.utf8, to: &output)
  }

  private static func append(_ bytes: some Collection<UInt8>, to output: inout [UInt8]) throws(SatchelError) {
    try output.claimRoom(for: bytes.count)
    output.append(contentsOf: bytes)
  }

  /// Appends what one of the scalar writers writes; none needs more than 24 bytes.
  private static func append(
    to output: inout [UInt8], _ write: (UnsafeMutableRawPointer) -> Int
  ) throws(SatchelError) {
    try output.claimRoom(for: 24)
    withUnsafeTemporaryAllocation(byteCount: 24, alignment: 8) { room in
      guard let start = room.baseAddress else { return }
      let written = write(start)
      output.append(contentsOf: room[..<written])
    }
  }
}
