import SatchelSystem

// One scalar out of a buffer that holds exactly one item. No allocation, no throwing. The conversions are those of
// `Value`; nil is success, and on failure `out` stays as it was.

extension CBOR {
  /// Reads a number as an `Int64`: `.range` when it does not fit, `.type` when it is no number or would lose something.
  @inlinable @inline(__always)
  public static func readInt64(
    _ p: UnsafeRawPointer, _ count: Int, _ out: inout Int64
  ) -> SatchelError.Code? {
    guard count > 0 else { return .type }
    let first = p.load(as: UInt8.self)
    if first >> 5 <= 1 {
      var argument: UInt64 = 0
      guard readArgument(p, count, &argument) == count else { return .type }
      guard let number = Int64(exactly: argument) else { return first >> 5 == 0 ? .range : .type }
      out = first >> 5 == 0 ? number : ~number
      return nil
    }
    guard first == doubleHead, count == 9 else { return .type }
    return Lossless.int64(loadDouble(p), &out)
  }

  /// Reads a number as a `UInt64`: `.range` when it does not fit, `.type` when it is no number or would lose something.
  @inlinable @inline(__always)
  public static func readUInt64(
    _ p: UnsafeRawPointer, _ count: Int, _ out: inout UInt64
  ) -> SatchelError.Code? {
    guard count > 0 else { return .type }
    let first = p.load(as: UInt8.self)
    if first >> 5 <= 1 {
      var argument: UInt64 = 0
      guard readArgument(p, count, &argument) == count else { return .type }
      guard first >> 5 == 0 else { return argument <= UInt64(Int64.max) ? .range : .type }
      out = argument
      return nil
    }
    guard first == doubleHead, count == 9 else { return .type }
    return Lossless.uint64(loadDouble(p), &out)
  }

  /// Reads a number as a `Double`: `.type` when it is no number or a double does not hold it exactly.
  @inlinable @inline(__always)
  public static func readDouble(
    _ p: UnsafeRawPointer, _ count: Int, _ out: inout Double
  ) -> SatchelError.Code? {
    guard count > 0 else { return .type }
    let first = p.load(as: UInt8.self)
    if first == doubleHead {
      guard count == 9 else { return .type }
      let number = loadDouble(p)
      guard number.bitPattern == number.canonicalBits else { return .type }
      out = number
      return nil
    }
    var argument: UInt64 = 0
    guard first >> 5 <= 1, readArgument(p, count, &argument) == count else { return .type }
    if first >> 5 == 0 { return Lossless.double(argument, &out) }
    guard let number = Int64(exactly: argument) else { return .type }
    return Lossless.double(~number, &out)
  }

  /// Reads a bool; `.type` for anything else.
  @inlinable @inline(__always)
  public static func readBool(
    _ p: UnsafeRawPointer, _ count: Int, _ out: inout Bool
  ) -> SatchelError.Code? {
    guard count == 1 else { return .type }
    let byte = p.load(as: UInt8.self)
    guard byte == falseByte || byte == trueByte else { return .type }
    out = byte == trueByte
    return nil
  }

  /// Reads a date; `.type` for anything else.
  @inlinable @inline(__always)
  public static func readTimestamp(
    _ p: UnsafeRawPointer, _ count: Int, _ out: inout Timestamp
  ) -> SatchelError.Code? {
    var time = Timestamp(seconds: 0)
    guard timestampLength(p, count, &time) == count, count > 0 else { return .type }
    out = time
    return nil
  }

  /// Reads a UUID; `.type` for anything else.
  @inlinable @inline(__always)
  public static func readUniqueID(
    _ p: UnsafeRawPointer, _ count: Int, _ out: inout UniqueID
  ) -> SatchelError.Code? {
    guard count == 19, p.load(as: UInt8.self) == 0xd8, p.load(fromByteOffset: 1, as: UInt8.self) == UInt8(uuidTag),
      p.load(fromByteOffset: 2, as: UInt8.self) == 0x50
    else { return .type }
    out = UniqueID(
      high: UInt64(bigEndian: p.loadUnaligned(fromByteOffset: 3, as: UInt64.self)),
      low: UInt64(bigEndian: p.loadUnaligned(fromByteOffset: 11, as: UInt64.self)))
    return nil
  }

  /// The payload of a string, a URL or data, inside the buffer; nil for anything else. Text is not checked to be UTF-8
  /// here: whoever wrote it did.
  @inlinable public static func text(_ p: UnsafeRawPointer, _ count: Int) -> UnsafeRawBufferPointer? {
    guard count > 0 else { return nil }
    var start = 0
    if p.load(as: UInt8.self) == 0xd8 {
      guard count > 2, p.load(fromByteOffset: 1, as: UInt8.self) == UInt8(urlTag),
        p.load(fromByteOffset: 2, as: UInt8.self) >> 5 == 3
      else { return nil }
      start = 2
    }
    let major = p.load(fromByteOffset: start, as: UInt8.self) >> 5
    guard major == 2 || major == 3 else { return nil }
    var length: UInt64 = 0
    let head = readArgument(p + start, count - start, &length)
    guard head > 0, length == UInt64(count - start - head) else { return nil }
    return UnsafeRawBufferPointer(start: p + start + head, count: count - start - head)
  }

  /// What the item is, from its first bytes; nil for none of ours. The rest is not checked.
  @inlinable public static func type(of p: UnsafeRawPointer, _ count: Int) -> ValueType? {
    guard count > 0 else { return nil }
    let first = p.load(as: UInt8.self)
    switch first >> 5 {
    case 0:
      let isWide = first == 0x1b && count > 1 && p.load(fromByteOffset: 1, as: UInt8.self) >= 0x80
      return isWide ? .uint : .int
    case 1: return .int
    case 2: return .data
    case 3: return .string
    case 4: return .array
    case 5: return .dictionary
    case 6: return tagged(p, count)
    default: return simple(first)
    }
  }

  @inlinable static func tagged(_ p: UnsafeRawPointer, _ count: Int) -> ValueType? {
    var tag: UInt64 = 0
    guard readArgument(p, count, &tag) > 0 else { return nil }
    switch tag {
    case urlTag: return .url
    case uuidTag: return .uuid
    case timeTag: return .date
    default: return nil
    }
  }

  @inlinable static func simple(_ byte: UInt8) -> ValueType? {
    switch byte {
    case falseByte, trueByte: .bool
    case nullByte: .null
    case doubleHead: .double
    default: nil
    }
  }

  /// The double behind its head byte; the caller knows that there are nine bytes.
  @inlinable static func loadDouble(_ p: UnsafeRawPointer) -> Double {
    Double(bitPattern: UInt64(bigEndian: p.loadUnaligned(fromByteOffset: 1, as: UInt64.self)))
  }

  /// Reads a date at the beginning of the buffer. Returns how many bytes it takes, 0 when it is none.
  @inlinable static func timestampLength(_ p: UnsafeRawPointer, _ count: Int, _ out: inout Timestamp) -> Int {
    guard count >= 6, p.load(as: UInt8.self) == 0xd9,
      UInt16(bigEndian: p.loadUnaligned(fromByteOffset: 1, as: UInt16.self)) == UInt16(timeTag)
    else { return 0 }
    let map = p.load(fromByteOffset: 3, as: UInt8.self)
    guard map == 0xa1 || map == 0xa2, p.load(fromByteOffset: 4, as: UInt8.self) == secondsKey else { return 0 }

    let major = p.load(fromByteOffset: 5, as: UInt8.self) >> 5
    var argument: UInt64 = 0
    var length = 5
    let head = readArgument(p + length, count - length, &argument)
    guard major <= 1, head > 0, let number = Int64(exactly: argument) else { return 0 }
    let seconds = major == 0 ? number : ~number
    length += head
    if map == 0xa1 {
      out = Timestamp(seconds: seconds)
      return length
    }

    guard count > length + 1, p.load(fromByteOffset: length, as: UInt8.self) == nanosecondsKey,
      p.load(fromByteOffset: length + 1, as: UInt8.self) >> 5 == 0
    else { return 0 }
    length += 1
    let nanoHead = readArgument(p + length, count - length, &argument)
    guard nanoHead > 0, argument > 0, argument < UInt64(Timestamp.nanosecondsPerSecond) else { return 0 }
    out = Timestamp(seconds: seconds, checked: UInt32(truncatingIfNeeded: argument))
    return length + nanoHead
  }
}
