@testable import SatchelSystem

/// The bytes of a compiled zone, made for a test.
struct TZif {
  var version: UInt8 = UInt8(ascii: "2")
  var changes: [(second: Int64, type: UInt8)] = []
  var offsets: [Int32] = [0]
  var footer: String? = "UTC0"
  /// Records that have to be passed over.
  var leapSeconds = 0
  var indicators = 0

  var bytes: [UInt8] {
    guard version > 0 else { return block(timeSize: 4) }
    // What the first block says is not looked at.
    let empty = TZif(version: version, offsets: [])
    return empty.block(timeSize: 4) + block(timeSize: 8) + (footer.map { "\n\($0)\n".utf8.map { $0 } } ?? [])
  }

  var rules: ZoneRules? { bytes.withUnsafeBytes { ZoneRules(tzif: $0) } }

  private func block(timeSize: Int) -> [UInt8] {
    var result = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
    for count in [indicators, indicators, leapSeconds, changes.count, offsets.count, 4] {
      result += big(Int64(count), 4)
    }
    for change in changes { result += big(change.second, timeSize) }
    result += changes.map(\.type)
    for offset in offsets { result += big(Int64(offset), 4) + [0, 0] }
    result += "LMT\0".utf8
    for number in 0..<leapSeconds { result += big(Int64(number), timeSize) + big(Int64(number), 4) }
    return result + [UInt8](repeating: 0, count: 2 * indicators)
  }

  private func big(_ number: Int64, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (Int64($0) * 8)) }
  }
}
