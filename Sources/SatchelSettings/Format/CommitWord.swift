import CSatchelSystem
import SatchelSystem

/// [retired:1][check:23][length/8:40]. "Moved to a new file" travels in the word that readers compare anyway, so the hot path
/// has one load and one comparison; the check bits tell a damaged word.
enum CommitWord {
  static let retired: UInt64 = 1 << 63

  @inline(__always)
  static func pack(_ length: Int, salt: UInt32) -> UInt64 {
    let units = UInt64(length) >> 3
    return units | UInt64(check(units, salt)) << 40
  }

  @inline(__always)
  static func length(_ word: UInt64) -> Int { Int(word & 0xFF_FFFF_FFFF) << 3 }

  /// nil when the word cannot be one that was written.
  static func checkedLength(_ word: UInt64, _ fields: HeaderFields) -> Int? {
    let units = word & 0xFF_FFFF_FFFF
    guard UInt32(truncatingIfNeeded: word >> 40) & 0x7F_FFFF == check(units, fields.salt),
      units >= UInt64(fields.historyEnd) >> 3, units <= UInt64(Generation.reserve) >> 3
    else { return nil }
    return Int(units) << 3
  }

  @inline(__always)
  private static func check(_ units: UInt64, _ salt: UInt32) -> UInt32 {
    var value = units
    return scs_crc32c(salt, &value, 8) & 0x7F_FFFF
  }
}
