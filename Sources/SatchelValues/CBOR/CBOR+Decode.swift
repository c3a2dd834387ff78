import SatchelSystem

extension CBOR {
  /// Reads exactly one item in the form that `encode` writes.
  ///
  /// Throws `.parse`, naming the byte, for anything else: a longer head than necessary, an indefinite length, a
  /// foreign tag or simple value, a duplicate key, text that is not UTF-8, a length beyond the end, bytes after the
  /// item. Throws `.range` for nesting deeper than `Value.nestingLimit`, `.noMemory`. O(size); never allocates more than the input
  /// warrants.
  public static func decode(_ bytes: UnsafeRawBufferPointer) throws(SatchelError) -> Value {
    var decoder = CBORDecoder(bytes: bytes)
    let value = try decoder.value(depth: 0)
    guard decoder.position == bytes.count else { throw decoder.error("bytes after the value") }
    return value
  }

  /// Reads exactly one item. Errors as the other overload.
  public static func decode(_ bytes: [UInt8]) throws(SatchelError) -> Value {
    try bytes.withUnsafeBufferPointer { (buffer) throws(SatchelError) -> Value in
      try decode(UnsafeRawBufferPointer(buffer))
    }
  }
}

/// Walks over the bytes. Every read checks what is left first: the buffer type itself does not in release builds.
private struct CBORDecoder {
  let bytes: UnsafeRawBufferPointer
  var position = 0

  private var left: Int { bytes.count - position }

  mutating func value(depth: Int) throws(SatchelError) -> Value {
    guard let start = bytes.baseAddress, left > 0 else { throw error("cut off") }
    let first = bytes[position]
    switch first >> 5 {
    case 0: return Value(try argument())
    case 1: return try negative()
    case 2: return .data(try data())
    case 3: return .string(try text())
    case 4: return try array(depth: depth)
    case 5: return try dictionary(depth: depth)
    case 6: return try tagged(start)
    default: return try simple(start, first)
    }
  }

  func error(_ message: String, at offset: Int? = nil) -> SatchelError {
    SatchelError(.parse, "byte \(offset ?? position): \(message)")
  }

  private mutating func argument() throws(SatchelError) -> UInt64 {
    var argument: UInt64 = 0
    guard let start = bytes.baseAddress else { throw error("cut off") }
    let length = CBOR.readArgument(start + position, left, &argument)
    guard length > 0 else { throw error("cut off, or not in the shortest form") }
    position += length
    return argument
  }

  private mutating func negative() throws(SatchelError) -> Value {
    let offset = position
    guard let number = Int64(exactly: try argument()) else { throw error("an integer below -2^63", at: offset) }
    return .int(~number)
  }

  /// The bytes behind a head that gives their number.
  private mutating func payload() throws(SatchelError) -> UnsafeRawBufferPointer {
    let offset = position
    let length = try argument()
    guard length <= UInt64(left) else { throw error("a length beyond the end", at: offset) }
    let end = position + Int(length)
    defer { position = end }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<end])
  }

  private mutating func data() throws(SatchelError) -> [UInt8] {
    let bytes = try payload()
    try Memory.claim(bytes.count + 64)
    return Array(bytes)
  }

  private mutating func text() throws(SatchelError) -> String {
    let offset = position
    let bytes = try payload()
    try Memory.claim(bytes.count + 64)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw error("text that is not UTF-8", at: offset)
    }
    return text
  }

  /// The number of items in a container, each of which takes `least` bytes or more.
  private mutating func count(least: Int, depth: Int) throws(SatchelError) -> Int {
    guard depth < Value.nestingLimit else {
      throw SatchelError(.range, "byte \(position): " + Value.tooDeep.message)
    }
    let offset = position
    let count = try argument()
    guard count <= UInt64(left / least) else { throw error("a length beyond the end", at: offset) }
    return Int(count)
  }

  private mutating func array(depth: Int) throws(SatchelError) -> Value {
    let count = try count(least: 1, depth: depth)
    var items: [Value] = []
    // A short input can claim much at every level of nesting, so no more than a little is believed in advance.
    let most = min(count, 1024)
    try items.claimRoom(for: most)
    items.reserveCapacity(most)
    for _ in 0..<count {
      try items.claimRoom()
      items.append(try value(depth: depth + 1))
    }
    return .array(items)
  }

  private mutating func dictionary(depth: Int) throws(SatchelError) -> Value {
    let count = try count(least: 2, depth: depth)
    var entries = try ValueDictionary(claiming: count)
    for _ in 0..<count {
      try entries.claimRoom()
      let offset = position
      guard left > 0, bytes[position] >> 5 == 3 else { throw error("a key that is not text") }
      let key = try text()
      guard entries.append(try value(depth: depth + 1), forKey: key) else {
        throw error("the key \(key.quoted) a second time", at: offset)
      }
    }
    return .dictionary(entries)
  }

  private mutating func tagged(_ start: UnsafeRawPointer) throws(SatchelError) -> Value {
    let offset = position
    switch CBOR.type(of: start + position, left) {
    case .date?:
      var time = Timestamp(seconds: 0)
      let length = CBOR.timestampLength(start + position, left, &time)
      guard length > 0 else { throw error("a malformed date") }
      position += length
      return .date(time)
    case .uuid?:
      var id = UniqueID(high: 0, low: 0)
      guard left >= 19, CBOR.readUniqueID(start + position, 19, &id) == nil else { throw error("a malformed UUID") }
      position += 19
      return .uuid(id)
    case .url?:
      position += 2
      guard left > 0, bytes[position] >> 5 == 3 else { throw error("a malformed URL", at: offset) }
      let text = try text()
      guard Value.isURL(text) else { throw error("a malformed URL", at: offset) }
      return .url(text)
    default:
      throw error("a tag that is not ours")
    }
  }

  private mutating func simple(_ start: UnsafeRawPointer, _ first: UInt8) throws(SatchelError) -> Value {
    switch CBOR.simple(first) {
    case .null?:
      position += 1
      return .null
    case .bool?:
      position += 1
      return .bool(first == CBOR.trueByte)
    case .double?:
      guard left >= 9 else { throw error("cut off") }
      let number = CBOR.loadDouble(start + position)
      guard number.bitPattern == number.canonicalBits else { throw error("a NaN that is not the one NaN") }
      position += 9
      return .double(number)
    default:
      throw error("a simple value or float that is not ours")
    }
  }
}
