import Glibc
import SatchelSystem

/// A record about to be stored. Its memory belongs to the caller and outlives the call that stores it.
struct Record {
  var operation: Frame.Operation
  var key: UnsafeRawBufferPointer
  var value: UnsafeRawBufferPointer
  var revision: UInt64
  var keyHash: UInt64
  var order: UInt64
  var time: Int64
  var processID: UInt32
  var userID: UInt32
  var program: UnsafeRawBufferPointer
  var hasMore = false

  static func size(key: Int, value: Int, program: Int) -> Int {
    (Frame.header + key + value + program + 7) & ~7
  }

  /// Bytes taken in the log.
  @inline(__always)
  var size: Int { Record.size(key: key.count, value: value.count, program: program.count) }

  /// Stores the frame at `p`, where `size` bytes are allocated, and returns its body CRC: the next frame's `prev`.
  @inline(__always)
  func store(at p: UnsafeMutableRawPointer, prev: UInt32, salt: UInt32) -> UInt32 {
    let exact = Frame.header + key.count + value.count + program.count
    let size = (exact + 7) & ~7
    (p + size - 8).storeBytes(of: 0, as: UInt64.self)  // the padding; the content comes over it
    p.storeBytes(of: UInt32(size), toByteOffset: 8, as: UInt32.self)
    p.storeBytes(of: prev, toByteOffset: 12, as: UInt32.self)
    p.storeBytes(of: revision, toByteOffset: 16, as: UInt64.self)
    p.storeBytes(of: keyHash, toByteOffset: 24, as: UInt64.self)
    p.storeBytes(of: order, toByteOffset: 32, as: UInt64.self)
    p.storeBytes(of: time, toByteOffset: 40, as: Int64.self)
    p.storeBytes(of: processID, toByteOffset: 48, as: UInt32.self)
    p.storeBytes(of: userID, toByteOffset: 52, as: UInt32.self)
    p.storeBytes(of: UInt16(key.count), toByteOffset: 56, as: UInt16.self)
    p.storeBytes(of: operation.rawValue, toByteOffset: 58, as: UInt8.self)
    p.storeBytes(of: hasMore ? 1 : 0, toByteOffset: 59, as: UInt8.self)
    p.storeBytes(of: UInt8(program.count), toByteOffset: 60, as: UInt8.self)
    p.storeBytes(of: UInt8(size - exact), toByteOffset: 61, as: UInt8.self)
    p.storeBytes(of: 0, toByteOffset: 62, as: UInt16.self)
    Record.copy(key, to: p + Frame.header)
    Record.copy(value, to: p + Frame.header + key.count)
    Record.copy(program, to: p + Frame.header + key.count + value.count)
    return Record.seal(p, salt: salt)
  }

  @inline(__always)
  private static func copy(_ bytes: UnsafeRawBufferPointer, to p: UnsafeMutableRawPointer) {
    if let base = bytes.baseAddress { memcpy(p, base, bytes.count) }
  }

  /// Computes both CRCs of the frame at `p` and returns the body's.
  @inline(__always)
  static func seal(_ p: UnsafeMutableRawPointer, salt: UInt32) -> UInt32 {
    let frame = Frame(p)
    p.storeBytes(of: frame.computedHeaderCRC(salt), toByteOffset: 4, as: UInt32.self)
    let crc = frame.computedBodyCRC
    p.storeBytes(of: crc, as: UInt32.self)
    return crc
  }
}
