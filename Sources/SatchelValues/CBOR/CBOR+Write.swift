// One scalar into a caller's buffer. Each returns how many bytes it wrote; the caller provides the room stated.

extension CBOR {
  /// At most 9 bytes.
  @inlinable public static func writeInt64(_ number: Int64, to p: UnsafeMutableRawPointer) -> Int {
    number >= 0
      ? writeHead(major: 0, UInt64(bitPattern: number), to: p)
      : writeHead(major: 1, UInt64(bitPattern: ~number), to: p)
  }

  /// At most 9 bytes.
  @inlinable public static func writeUInt64(_ number: UInt64, to p: UnsafeMutableRawPointer) -> Int {
    writeHead(major: 0, number, to: p)
  }

  /// 1 byte.
  static func writeNull(to p: UnsafeMutableRawPointer) -> Int {
    p.storeBytes(of: nullByte, as: UInt8.self)
    return 1
  }

  /// 1 byte.
  @inlinable public static func writeBool(_ flag: Bool, to p: UnsafeMutableRawPointer) -> Int {
    p.storeBytes(of: flag ? trueByte : falseByte, as: UInt8.self)
    return 1
  }

  /// 9 bytes, always: an integer and a double never look the same.
  @inlinable public static func writeDouble(_ number: Double, to p: UnsafeMutableRawPointer) -> Int {
    p.storeBytes(of: doubleHead, as: UInt8.self)
    p.storeBytes(of: number.canonicalBits.bigEndian, toByteOffset: 1, as: UInt64.self)
    return 9
  }

  /// At most 24 bytes.
  @inlinable public static func writeTimestamp(_ time: Timestamp, to p: UnsafeMutableRawPointer) -> Int {
    p.storeBytes(of: 0xd9, as: UInt8.self)
    p.storeBytes(of: UInt16(timeTag).bigEndian, toByteOffset: 1, as: UInt16.self)
    p.storeBytes(of: time.nanoseconds == 0 ? 0xa1 : 0xa2, toByteOffset: 3, as: UInt8.self)
    p.storeBytes(of: secondsKey, toByteOffset: 4, as: UInt8.self)
    var length = 5 + writeInt64(time.seconds, to: p + 5)
    guard time.nanoseconds != 0 else { return length }
    p.storeBytes(of: nanosecondsKey, toByteOffset: length, as: UInt8.self)
    length += 1
    return length + writeUInt64(UInt64(time.nanoseconds), to: p + length)
  }

  /// 19 bytes.
  @inlinable public static func writeUniqueID(_ id: UniqueID, to p: UnsafeMutableRawPointer) -> Int {
    p.storeBytes(of: 0xd8, as: UInt8.self)
    p.storeBytes(of: UInt8(uuidTag), toByteOffset: 1, as: UInt8.self)
    p.storeBytes(of: 0x50, toByteOffset: 2, as: UInt8.self)
    p.storeBytes(of: id.high.bigEndian, toByteOffset: 3, as: UInt64.self)
    p.storeBytes(of: id.low.bigEndian, toByteOffset: 11, as: UInt64.self)
    return 19
  }

  /// What stands before the UTF-8 bytes of a string; at most 9 bytes.
  @inlinable public static func writeTextHeader(count: Int, to p: UnsafeMutableRawPointer) -> Int {
    writeHead(major: 3, UInt64(max(count, 0)), to: p)
  }

  /// What stands before the bytes of data; at most 9 bytes.
  @inlinable public static func writeDataHeader(count: Int, to p: UnsafeMutableRawPointer) -> Int {
    writeHead(major: 2, UInt64(max(count, 0)), to: p)
  }

  /// What stands before the UTF-8 bytes of a URL; at most 11 bytes.
  @inlinable public static func writeURLHeader(count: Int, to p: UnsafeMutableRawPointer) -> Int {
    p.storeBytes(of: 0xd8, as: UInt8.self)
    p.storeBytes(of: UInt8(urlTag), toByteOffset: 1, as: UInt8.self)
    return 2 + writeTextHeader(count: count, to: p + 2)
  }
}
