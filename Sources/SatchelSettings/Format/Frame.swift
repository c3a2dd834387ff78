import CSatchelSystem
import Glibc
import SatchelSystem

/// One record in the log. Offsets are those of docs/formats.md, 1.2.
struct Frame {
  static let header = 64
  static let valueLimit = 16 << 20
  static let transactionLimit = 64 << 20
  static let recordLimit = 1 << 20 - 1
  static let keyLimit = 1024
  /// What `order` has room for, with a margin: 270 years of a thousand writes a second.
  static let revisionLimit: UInt64 = 1 << 43

  enum Operation: UInt8 { case set = 1, unset, lost, note }

  let base: UnsafeRawPointer

  @inline(__always) init(_ base: UnsafeRawPointer) { self.base = base }

  @inline(__always) var bodyCRC: UInt32 { base.load(as: UInt32.self) }
  @inline(__always) var headerCRC: UInt32 { base.load(fromByteOffset: 4, as: UInt32.self) }
  @inline(__always) var size: Int { Int(base.load(fromByteOffset: 8, as: UInt32.self)) }
  @inline(__always) var prev: UInt32 { base.load(fromByteOffset: 12, as: UInt32.self) }
  @inline(__always) var revision: UInt64 { base.load(fromByteOffset: 16, as: UInt64.self) }
  @inline(__always) var keyHash: UInt64 { base.load(fromByteOffset: 24, as: UInt64.self) }
  @inline(__always) var order: UInt64 { base.load(fromByteOffset: 32, as: UInt64.self) }
  @inline(__always) var time: Int64 { base.load(fromByteOffset: 40, as: Int64.self) }
  @inline(__always) var processID: UInt32 { base.load(fromByteOffset: 48, as: UInt32.self) }
  @inline(__always) var userID: UInt32 { base.load(fromByteOffset: 52, as: UInt32.self) }
  @inline(__always) var keyLength: Int { Int(base.load(fromByteOffset: 56, as: UInt16.self)) }
  @inline(__always) var rawOperation: UInt8 { base.load(fromByteOffset: 58, as: UInt8.self) }
  @inline(__always) var isSet: Bool { rawOperation == Operation.set.rawValue }
  @inline(__always) var isLost: Bool { rawOperation == Operation.lost.rawValue }
  @inline(__always) var isNote: Bool { rawOperation == Operation.note.rawValue }
  @inline(__always) var hasMore: Bool { base.load(fromByteOffset: 59, as: UInt8.self) & 1 != 0 }
  @inline(__always) var programLength: Int { Int(base.load(fromByteOffset: 60, as: UInt8.self)) }
  @inline(__always) var padding: Int { Int(base.load(fromByteOffset: 61, as: UInt8.self)) }

  @inline(__always) var key: UnsafeRawPointer { base + Frame.header }
  @inline(__always) var value: UnsafeRawPointer { base + Frame.header + keyLength }
  @inline(__always) var valueLength: Int { size - Frame.header - keyLength - programLength - padding }
  var program: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: value + valueLength, count: programLength)
  }
  var keyBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: key, count: keyLength) }

  @inline(__always)
  func hasKey(_ other: UnsafeRawPointer, _ count: Int) -> Bool {
    keyLength == count && scs_equal(key, other, count)
  }

  // MARK: Checking

  enum Soundness {
    case whole
    /// The header is right: size, revision and whose record it was are known.
    case damagedBody
    /// The header is right, but there is no room for what it says.
    case reachesBeyond
    case damagedHeader
  }

  /// Judges the bytes at `base`, of which `room` may be touched.
  @inline(__always)
  func soundness(room: Int, salt: UInt32) -> Soundness {
    guard room >= Frame.header, hasPlausibleShape(room: .max), headerCRC == computedHeaderCRC(salt) else {
      return .damagedHeader
    }
    if size > room { return .reachesBeyond }
    return computedBodyCRC == bodyCRC ? .whole : .damagedBody
  }

  @inline(__always)
  func hasPlausibleShape(room: Int) -> Bool {
    let size = size
    guard size >= Frame.header, size <= room, size & 7 == 0, rawOperation &- 1 < 4, revision < Frame.revisionLimit
    else {
      return false
    }
    return Frame.header + keyLength + programLength + padding <= size
  }

  @inline(__always)
  func computedHeaderCRC(_ salt: UInt32) -> UInt32 { scs_crc32c(salt, base + 8, Frame.header - 8) }

  @inline(__always)
  var computedBodyCRC: UInt32 { scs_crc32c(headerCRC, base + Frame.header, size - Frame.header) }

  /// Of a record with a damaged header: whose it was, if its key or the stored hash of it survived.
  func identifiedKeyHash(room: Int, seed: UInt64) -> UInt64? {
    let stored = keyHash
    func hash(_ count: Int) -> UInt64? {
      count >= 1 && count <= Frame.keyLimit && Frame.header + count <= room ? scs_hash(seed, key, count) : nil
    }
    if let computed = hash(keyLength), Frame.differsInOneByteAtMost(computed, stored) { return computed }
    return (1...Frame.keyLimit).contains { hash($0) == stored } ? stored : nil
  }

  private static func differsInOneByteAtMost(_ a: UInt64, _ b: UInt64) -> Bool {
    (0..<8).count { (a ^ b) >> ($0 * 8) & 0xFF != 0 } <= 1
  }
}
