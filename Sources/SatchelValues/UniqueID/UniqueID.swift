/// A UUID: sixteen bytes. Not named `UUID`, so that a file can import Foundation as well.
public struct UniqueID: Sendable, Hashable {
  /// The first eight bytes, in network order.
  public let high: UInt64
  /// The last eight bytes, in network order.
  public let low: UInt64

  @inlinable public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A new random one (version 4).
  public init() {
    var generator = SystemRandomNumberGenerator()
    let version = generator.next() & ~0xf000 | 0x4000
    let variant = generator.next() & ~(0b11 << 62) | (0b10 << 62)
    self.init(high: version, low: variant)
  }

  /// Nil unless there are exactly sixteen bytes.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.init(high: Self.word(bytes.prefix(8)), low: Self.word(bytes.suffix(8)))
  }

  /// The sixteen bytes in network order.
  public var bytes: [UInt8] {
    [high, low].flatMap { word in stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) } }
  }

  private static func word(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

extension UniqueID: CustomStringConvertible {
  /// `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` in lower case.
  public var text: String {
    var result: [UInt8] = []
    result.reserveCapacity(36)
    for (place, byte) in bytes.enumerated() {
      if Self.hyphensBefore.contains(place) { result.append(UInt8(ascii: "-")) }
      result.append(hexDigits[Int(byte >> 4)])
      result.append(hexDigits[Int(byte & 15)])
    }
    return String(decoding: result, as: UTF8.self)
  }

  public var description: String { text }

  /// Reads the form that `text` writes, in either case. Nil for anything else.
  public init?(text: String) {
    let characters = Array(text.utf8)
    guard characters.count == 36 else { return nil }
    var bytes: [UInt8] = []
    var position = 0
    for place in 0..<16 {
      if Self.hyphensBefore.contains(place) {
        guard characters[position] == UInt8(ascii: "-") else { return nil }
        position += 1
      }
      guard let high = characters[position].hexDigit, let low = characters[position + 1].hexDigit else { return nil }
      bytes.append(high << 4 | low)
      position += 2
    }
    self.init(bytes: bytes)
  }

  private static var hyphensBefore: [Int] { [4, 6, 8, 10] }
}
