/// How what cannot stand as it is, is written.
enum Escape {
  /// A message as far as it is the program's own: a line break goes on in the next line, indented.
  case literal
  /// The same on a console, whose entries are told by their markers.
  case indented
  /// A value that was dumped: backslashes in it are escapes already, and stay as they are.
  case dump
  /// A value within a message.
  case value
  /// Between the quotes of a field in text.
  case quoted
  /// Between the quotes of JSON.
  case json

  @inline(__always)
  var hasQuotes: Bool { self == .quoted || self == .json }
}

/// Eight bytes at a time: which of them are not plain text. The lowest set bit is right, those above it may be set in vain.
enum PlainText {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  @inline(__always)
  private static func below(_ limit: UInt64, _ word: UInt64) -> UInt64 { (word &- ones &* limit) & ~word }

  @inline(__always)
  private static func equal(_ byte: UInt8, _ word: UInt64) -> UInt64 { below(1, word ^ ones &* UInt64(byte)) }

  /// Controls, backslashes, what is beyond ASCII, and quotes if asked for.
  @inline(__always)
  static func specials(_ word: UInt64, quotes: Bool) -> UInt64 {
    var found = word | below(0x20, word) | equal(0x7f, word) | equal(UInt8(ascii: "\\"), word)
    if quotes { found |= equal(UInt8(ascii: "\""), word) }
    return found & highs
  }

  /// What cannot be part of a word without quotes, where `end` ends it.
  @inline(__always)
  static func wordBreaks(_ word: UInt64, end: UInt8) -> UInt64 {
    (word | below(0x21, word) | equal(0x7f, word) | equal(UInt8(ascii: "\\"), word) | equal(UInt8(ascii: "\""), word)
      | equal(end, word)) & highs
  }

  /// Fewer than eight bytes, and spaces behind them.
  @inline(__always)
  static func tail(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
    let word: UInt64
    if count >= 4 {
      let low = UInt64(start.loadUnaligned(as: UInt32.self))
      word = low | UInt64((start + (count - 4)).loadUnaligned(as: UInt32.self)) << UInt64((count - 4) * 8)
    } else if count >= 2 {
      let low = UInt64(start.loadUnaligned(as: UInt16.self))
      word = low | UInt64((start + (count - 2)).loadUnaligned(as: UInt16.self)) << UInt64((count - 2) * 8)
    } else {
      word = count == 1 ? UInt64(start.load(as: UInt8.self)) : 0
    }
    return word
  }
}
