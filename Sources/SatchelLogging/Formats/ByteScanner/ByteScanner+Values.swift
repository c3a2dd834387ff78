extension ByteScanner {
  /// A word up to the byte that ends it, or what stands in quotes.
  mutating func quotable(end: UInt8) -> [UInt8]? {
    if peek == UInt8(ascii: "\"") { return quoted() }
    return Array(take { $0 == UInt8(ascii: " ") || $0 == end })
  }

  /// The value of a field, which tells its type. `quoted` reads what stands in quotes.
  mutating func fieldValue(quoted: (inout ByteScanner) -> [UInt8]?) -> LogEntry.Value? {
    switch peek {
    case UInt8(ascii: "\"")?: return quoted(&self).map(LogEntry.Value.text)
    case UInt8(ascii: "<")?: return bracketed()
    default: return LogEntry.Value(word: take { $0 == UInt8(ascii: " ") })
    }
  }

  /// `<secret 3f2a9c01>` or `<00ff>`
  private mutating func bracketed() -> LogEntry.Value? {
    var inner = ByteScanner(take { $0 == UInt8(ascii: ">") })
    guard skip(UInt8(ascii: ">")), inner.skip(UInt8(ascii: "<")) else { return nil }
    if inner.skip("secret ") { return UInt32(hex: inner.rest).map(LogEntry.Value.secret) }
    return [UInt8](hex: inner.rest).map(LogEntry.Value.bytes)
  }
}

extension LogEntry.Value {
  /// A value without quotes: what looks like no other type is text.
  init(word: UnsafeRawBufferPointer) {
    switch word.first {
    case nil: self = .text([])
    case let first? where first.isDigit || first == UInt8(ascii: "-"):
      self = LogEntry.Value(number: word) ?? .text(Array(word))
    default:
      switch String(decoding: word.prefix(6), as: UTF8.self) {
      case "nil": self = .null
      case "true": self = .bool(true)
      case "false": self = .bool(false)
      case "nan": self = .double(.nan)
      case "inf": self = .double(.infinity)
      default: self = .text(Array(word))
      }
    }
  }

  init?(number word: UnsafeRawBufferPointer) {
    var scanner = ByteScanner(word)
    if scanner.skip("0x") {
      guard let address = UInt64(hex: scanner.rest) else { return nil }
      self = .pointer(address)
    } else if let time = scanner.valueTime(), scanner.isAtEnd {
      self = .time(time)
    } else {
      let text = String(decoding: word, as: UTF8.self)
      if let number = Int64(text) {
        self = .int(number)
      } else if let number = UInt64(text) {
        self = .uint(number)
      } else if let number = Double(text) {
        self = .double(number)
      } else {
        return nil
      }
    }
  }
}

extension FixedWidthInteger {
  /// Of at least one hexadecimal digit, and no more than it has room for.
  init?(hex digits: some Collection<UInt8>) {
    guard (1...Self.bitWidth / 4).contains(digits.count) else { return nil }
    var number: Self = 0
    for byte in digits {
      guard let digit = byte.hexValue else { return nil }
      number = number << 4 | Self(digit)
    }
    self = number
  }
}

extension [UInt8] {
  /// Two digits for each byte.
  init?(hex digits: UnsafeRawBufferPointer) {
    guard digits.count.isMultiple(of: 2) else { return nil }
    self = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[place].hexValue, let low = digits[place + 1].hexValue else { return nil }
      append(high << 4 | low)
    }
  }
}
