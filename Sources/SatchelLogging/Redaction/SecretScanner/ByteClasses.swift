/// Bytes of which words consist: letters, digits, and what tokens have between them: `-`, `.` and `_`.
enum ByteClasses {
  @inline(__always)
  static func isWord(_ byte: UInt8) -> Bool {
    let half: UInt64 = byte < 64 ? 0x03ff_6000_0000_0000 : byte < 128 ? 0x07ff_fffe_87ff_fffe : 0
    return half &>> UInt64(byte & 63) & 1 != 0
  }

  /// Of eight bytes those that are in no word, by the highest bit of each.
  @inline(__always)
  static func others(_ word: UInt64) -> UInt64 {
    let low = word & ~highs
    let letters = range(low | 0x20 &* ones, 0x61, 0x7a)
    // From `-` to `9`, of which `/` is none.
    let digits = range(low, 0x2d, 0x39) & ~range(low, 0x2f, 0x2f)
    return (word | ~(letters | digits | range(low, 0x5f, 0x5f))) & highs
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Of bytes below 128, so that none carries into the next.
  @inline(__always)
  private static func range(_ word: UInt64, _ first: UInt64, _ last: UInt64) -> UInt64 {
    (word &+ (0x80 &- first) &* ones) & ~(word &+ (0x7f &- last) &* ones)
  }
}
