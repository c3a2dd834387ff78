// A head is one byte with the major type in the top three bits and, below, the argument or how many bytes it takes.

extension CBOR {
  /// Reads the argument of the head at `p`. Returns the length of the head, or 0 when it is cut off, reserved,
  /// indefinite or longer than it has to be.
  @inlinable static func readArgument(_ p: UnsafeRawPointer, _ count: Int, _ argument: inout UInt64) -> Int {
    guard count > 0 else { return 0 }
    let low = p.load(as: UInt8.self) & 31
    if low < 24 {
      argument = UInt64(low)
      return 1
    }
    switch low {
    case 24:
      guard count >= 2 else { return 0 }
      argument = UInt64(p.load(fromByteOffset: 1, as: UInt8.self))
      return argument >= 24 ? 2 : 0
    case 25:
      guard count >= 3 else { return 0 }
      argument = UInt64(UInt16(bigEndian: p.loadUnaligned(fromByteOffset: 1, as: UInt16.self)))
      return argument > 0xff ? 3 : 0
    case 26:
      guard count >= 5 else { return 0 }
      argument = UInt64(UInt32(bigEndian: p.loadUnaligned(fromByteOffset: 1, as: UInt32.self)))
      return argument > 0xffff ? 5 : 0
    case 27:
      guard count >= 9 else { return 0 }
      argument = UInt64(bigEndian: p.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
      return argument > 0xffff_ffff ? 9 : 0
    default:
      return 0
    }
  }

  /// Writes a head in its shortest form; at most 9 bytes. Returns how many.
  @inlinable static func writeHead(major: UInt8, _ argument: UInt64, to p: UnsafeMutableRawPointer) -> Int {
    let top = major << 5
    if argument < 24 {
      p.storeBytes(of: top | UInt8(truncatingIfNeeded: argument), as: UInt8.self)
      return 1
    }
    if argument <= 0xff {
      p.storeBytes(of: top | 24, as: UInt8.self)
      p.storeBytes(of: UInt8(truncatingIfNeeded: argument), toByteOffset: 1, as: UInt8.self)
      return 2
    }
    if argument <= 0xffff {
      p.storeBytes(of: top | 25, as: UInt8.self)
      p.storeBytes(of: UInt16(truncatingIfNeeded: argument).bigEndian, toByteOffset: 1, as: UInt16.self)
      return 3
    }
    if argument <= 0xffff_ffff {
      p.storeBytes(of: top | 26, as: UInt8.self)
      p.storeBytes(of: UInt32(truncatingIfNeeded: argument).bigEndian, toByteOffset: 1, as: UInt32.self)
      return 5
    }
    p.storeBytes(of: top | 27, as: UInt8.self)
    p.storeBytes(of: argument.bigEndian, toByteOffset: 1, as: UInt64.self)
    return 9
  }
}
