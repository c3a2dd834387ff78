import SatchelSystem

extension LineWriter {
  /// What a record says, without its fields. Values from outside are escaped so that the program's own words can be told.
  @inline(__always)
  mutating func message(_ record: RecordReader, literal: Escape = .literal, value: Escape = .value) {
    var parts = record.parts
    while let part = parts.next() {
      switch part {
      case .literal(let text): escaped(text, literal)
      case .text(let text): escaped(text, value)
      case .int(let number): decimal(number)
      case .file, .function, .category: break
      case .field: _ = parts.value()
      default: scalar(part)
      }
    }
  }

  /// A value that needs neither quotes nor escapes. Not inlined: most values are text and integers.
  @inline(never)
  mutating func scalar(_ part: RecordReader.Part) {
    switch part {
    case .int(let number): decimal(number)
    case .uint(let number): decimal(number)
    case .double(let number): double(number)
    case .bool(let flag): word(flag ? "true" : "false")
    case .pointer(let address):
      word("0x")
      hex(address)
    case .time(let time): self.time(time)
    case .bytes(let bytes): hexadecimal(bytes)
    case .secret(let print): secret(print)
    case .null: word("nil")
    case .literal, .text, .file, .function, .category, .field: break
    }
  }

  /// `<00ff>`
  private mutating func hexadecimal(_ bytes: UnsafeRawBufferPointer) {
    byte(UInt8(ascii: "<"))
    for byte in bytes { hex(byte) }
    byte(UInt8(ascii: ">"))
  }

  private mutating func secret(_ print: UInt64) {
    word("<secret ")
    hex(print & 0xffff_ffff, width: 8)
    byte(UInt8(ascii: ">"))
  }
}

extension RecordReader.Cursor {
  /// The value of a field whose name was read last. nil where none follows, as behind a name at the end.
  @inline(__always)
  mutating func value() -> RecordReader.Part? {
    var ahead = self
    guard let part = ahead.next() else { return nil }
    switch part {
    case .field, .file, .function, .category: return nil
    default:
      self = ahead
      return part
    }
  }
}
