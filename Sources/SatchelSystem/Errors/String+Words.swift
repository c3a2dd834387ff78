// Keys in sentences: whatever they hold, the sentence stays one that can be read.

extension String {
  /// Not longer than a line.
  package var shortened: String {
    let scalars = unicodeScalars
    guard scalars.count > 100 else { return self }
    return String(String.UnicodeScalarView(scalars.prefix(97))) + "..."
  }

  /// As one word of a command line; nil where that takes more than a pair of quotes.
  package var shellWord: String? {
    guard let first = utf8.first, first != UInt8(ascii: "-"), unicodeScalars.count <= 100 else { return nil }
    if utf8.allSatisfy(String.isPlain) { return self }
    let needsMore = unicodeScalars.contains { $0.value < 0x20 || (0x7f...0x9f).contains($0.value) || $0 == "'" }
    return needsMore ? nil : "'\(self)'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "._-/:@%+,=".utf8.contains(byte)
    }
  }
}
