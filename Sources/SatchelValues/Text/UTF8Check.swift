/// Whether bytes are UTF-8, and where they stop being it.
enum UTF8Check {
  /// The offset of the first byte that no UTF-8 text has there, or nil. O(size).
  static func firstInvalid(in bytes: UnsafeRawBufferPointer) -> Int? {
    var position = 0
    while position < bytes.count {
      if bytes[position] < 0x80 {
        position += 1
        continue
      }
      let length = scalarLength(UnsafeRawBufferPointer(rebasing: bytes[position...].prefix(4)))
      guard length > 0 else { return position }
      position += length
    }
    return nil
  }

  /// How many bytes the scalar beyond ASCII at the beginning takes; 0 when there is none (Unicode 15, table 3-7).
  private static func scalarLength(_ bytes: UnsafeRawBufferPointer) -> Int {
    let first = bytes[0]
    let second: ClosedRange<UInt8> =
      switch first {
      case 0xe0: 0xa0...0xbf
      case 0xed: 0x80...0x9f
      case 0xf0: 0x90...0xbf
      case 0xf4: 0x80...0x8f
      default: 0x80...0xbf
      }
    let length =
      switch first {
      case 0xc2...0xdf: 2
      case 0xe0...0xef: 3
      case 0xf0...0xf4: 4
      default: 0
      }
    guard length > 0, bytes.count >= length, second.contains(bytes[1]) else { return 0 }
    return bytes[2..<max(2, length)].allSatisfy { $0 & 0xc0 == 0x80 } ? length : 0
  }
}
