import SatchelSystem

/// Reads dotenv text line by line; a quoted value may go on over several.
struct DotenvParser {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(text: String) {
    bytes = Array(text.utf8)
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
  }

  mutating func pairs() throws(SatchelError) -> [(key: String, value: String)] {
    if bytes.contains(0) {
      line = 1 + bytes.prefix { $0 != 0 }.count { $0 == UInt8(ascii: "\n") }
      throw error("a NUL")
    }
    var pairs: [(key: String, value: String)] = []
    while peek != nil {
      skipSpace()
      if isAtEnd || peek == UInt8(ascii: "#") {
        skipLine()
      } else {
        pairs.append(try pair())
      }
    }
    return pairs
  }

  private mutating func pair() throws(SatchelError) -> (key: String, value: String) {
    var key = word()
    skipSpace()
    if key == "export", peek != UInt8(ascii: "=") {
      key = word()
      skipSpace()
    }
    guard Dotenv.isKey(key.utf8) else { throw error("expected a key and '='") }
    guard peek == UInt8(ascii: "=") else { throw error("expected '=' after \(key.quoted)") }
    position += 1
    skipSpace()
    let isQuoted = peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'")
    return (key, isQuoted ? try quotedValue() : bareValue())
  }

  private mutating func word() -> String {
    let start = position
    while let byte = peek, Dotenv.isKeyByte(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// To the end of the line, or to a `#` with a space before it; spaces at both ends do not count.
  private mutating func bareValue() -> String {
    let start = position
    var end = position
    // The space before the value, which is skipped by now, makes a '#' at its start a comment.
    var wasSpace = start > 0 && isSpace(bytes[start - 1])
    while let byte = peek, !isAtEnd, !(wasSpace && byte == UInt8(ascii: "#")) {
      wasSpace = isSpace(byte)
      position += 1
      if !wasSpace { end = position }
    }
    skipLine()
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Quoted parts, and between them characters behind a backslash, as a shell joins them: `'it'\''s'`.
  private mutating func quotedValue() throws(SatchelError) -> String {
    var output: [UInt8] = []
    while let byte = peek, !isAtEnd, !isSpace(byte) {
      position += 1
      switch byte {
      case UInt8(ascii: "'"): try singleQuoted(into: &output)
      case UInt8(ascii: "\""): try doubleQuoted(into: &output)
      case UInt8(ascii: "\\") where !isAtEnd: output.append(take())
      default: throw error("something after the closing quote")
      }
    }
    skipSpace()
    guard isAtEnd || peek == UInt8(ascii: "#") else { throw error("something after the closing quote") }
    skipLine()
    return String(decoding: output, as: UTF8.self)
  }

  /// Everything up to the next single quote, as it stands.
  private mutating func singleQuoted(into output: inout [UInt8]) throws(SatchelError) {
    let opening = line
    while let byte = peek {
      if byte == UInt8(ascii: "'") {
        position += 1
        return
      }
      output.append(take())
    }
    line = opening
    throw error("a value without its closing quote")
  }

  private mutating func doubleQuoted(into output: inout [UInt8]) throws(SatchelError) {
    let opening = line
    while peek != nil {
      let byte = take()
      if byte == UInt8(ascii: "\"") { return }
      if byte == UInt8(ascii: "\\"), peek != nil { escape(take(), into: &output) } else { output.append(byte) }
    }
    line = opening
    throw error("a value without its closing quote")
  }

  /// A backslash before a line break joins lines; one before a character that needs none stays, as in a shell.
  private func escape(_ character: UInt8, into output: inout [UInt8]) {
    switch character {
    case UInt8(ascii: "n"): output.append(0x0a)
    case UInt8(ascii: "r"): output.append(0x0d)
    case UInt8(ascii: "t"): output.append(0x09)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"), UInt8(ascii: "`"), UInt8(ascii: "'"):
      output.append(character)
    case 0x0a: break
    default: output += [UInt8(ascii: "\\"), character]
    }
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// At a line break or the end of the text.
  private var isAtEnd: Bool {
    guard let byte = peek else { return true }
    let next = position + 1 < bytes.count ? bytes[position + 1] : 0x0a
    return byte == 0x0a || byte == 0x0d && next == 0x0a
  }

  /// The next byte, of which the caller knows that it is there.
  private mutating func take() -> UInt8 {
    defer { position += 1 }
    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
    return bytes[position]
  }

  private mutating func skipSpace() {
    while let byte = peek, isSpace(byte) { position += 1 }
  }

  private mutating func skipLine() {
    while peek != nil {
      if take() == UInt8(ascii: "\n") { return }
    }
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private func error(_ message: String) -> SatchelError { SatchelError(.parse, "line \(line): \(message)") }
}
