/// Reads bytes in order. Whatever is asked for and is not there, is nil or false, and nothing is taken.
struct ByteScanner {
  let bytes: UnsafeRawBufferPointer
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { position == bytes.count }
  var peek: UInt8? { isAtEnd ? nil : bytes[position] }
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

  mutating func next() -> UInt8? {
    guard let byte = peek else { return nil }
    position += 1
    return byte
  }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  mutating func skip(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard rest.prefix(count).elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: count)) else {
      return false
    }
    position += count
    return true
  }

  /// Up to one of the bytes that end it, or to the end.
  mutating func take(until isEnd: (UInt8) -> Bool) -> UnsafeRawBufferPointer {
    let taken = rest.prefix { !isEnd($0) }
    position += taken.count
    return UnsafeRawBufferPointer(rebasing: taken)
  }

  mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
    guard bytes.count - position >= count else { return nil }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }

  /// A number in decimal digits, as it is written: at least one, none that is not needed, and none too many for the type.
  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
    let digits = rest.prefix(while: \.isDigit)
    guard let number = Number(ascii: digits), digits.first != UInt8(ascii: "0") || digits.count == 1 else { return nil }
    position += digits.count
    return number
  }

  /// A number of a fixed count of digits.
  mutating func digits(_ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, let number = Int(ascii: digits) else { return nil }
    position += count
    return number
  }

  /// What stands in quotes, its escapes undone. nil where the closing quote is missing.
  mutating func quoted() -> [UInt8]? {
    guard peek == UInt8(ascii: "\"") else { return nil }
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      let isEscape = bytes[end] == UInt8(ascii: "\\") && end + 1 < bytes.count && Unescape.isLetter(bytes[end + 1])
      end += isEscape ? 2 : 1
    }
    guard end < bytes.count else { return nil }
    defer { position = end + 1 }
    return Unescape.bytes(bytes[(position + 1)..<end])
  }
}

extension FixedWidthInteger {
  /// Of decimal digits only. nil where there are none, another byte, or too many.
  init?(ascii digits: some Collection<UInt8>) {
    guard !digits.isEmpty else { return nil }
    var number: Self = 0
    for byte in digits {
      guard byte.isDigit else { return nil }
      let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = product.addingReportingOverflow(Self(byte - 0x30))
      guard !isTooLarge, !overflows else { return nil }
      number = sum
    }
    self = number
  }
}
