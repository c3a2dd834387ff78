import SatchelSystem

/// Reads the grammar of JSON over text that is known to be UTF-8. Every read checks what is left first.
struct JSONParser {
  let source: JSONSource
  var position = 0

  /// Containers in the text, not in the value: each may be wrapped in `$object`, and the innermost may hold a `$date`.
  private static let depthLimit = 2 * Value.nestingLimit + 2

  mutating func document() throws(SatchelError) -> JSONNode {
    if source.bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    skipSpace()
    let node = try node(depth: 0)
    skipSpace()
    guard peek == nil else { throw source.error("something after the value", at: position) }
    return node
  }

  var peek: UInt8? { position < source.bytes.count ? source.bytes[position] : nil }

  private mutating func node(depth: Int) throws(SatchelError) -> JSONNode {
    guard depth <= Self.depthLimit else { throw source.error(Value.tooDeep.message, at: position, .range) }
    switch peek {
    case UInt8(ascii: "{")?: return try object(depth: depth)
    case UInt8(ascii: "[")?: return try array(depth: depth)
    case UInt8(ascii: "\"")?: return .scalar(.string(try string()))
    case UInt8(ascii: "t")?: return try word("true", .bool(true))
    case UInt8(ascii: "f")?: return try word("false", .bool(false))
    case UInt8(ascii: "n")?: return try word("null", .null)
    case nil: throw source.error("the text ends where a value is expected", at: position)
    case let byte? where byte == UInt8(ascii: "-") || byte.isASCIIDigit: return .scalar(try number())
    default: throw source.error("expected a value", at: position)
    }
  }

  private mutating func array(depth: Int) throws(SatchelError) -> JSONNode {
    let offset = position
    position += 1
    var items: [JSONNode] = []
    skipSpace()
    if skip(UInt8(ascii: "]")) { return .array(items, offset: offset) }
    while true {
      skipSpace()
      try items.claimRoom()
      items.append(try node(depth: depth + 1))
      skipSpace()
      if skip(UInt8(ascii: "]")) { return .array(items, offset: offset) }
      guard skip(UInt8(ascii: ",")) else { throw source.error("expected ',' or ']'", at: position) }
    }
  }

  private mutating func object(depth: Int) throws(SatchelError) -> JSONNode {
    let offset = position
    position += 1
    var members: [JSONMember] = []
    skipSpace()
    if skip(UInt8(ascii: "}")) { return .object(members, offset: offset) }
    while true {
      skipSpace()
      try members.claimRoom()
      members.append(try member(depth: depth))
      skipSpace()
      if skip(UInt8(ascii: "}")) { return .object(members, offset: offset) }
      guard skip(UInt8(ascii: ",")) else { throw source.error("expected ',' or '}'", at: position) }
    }
  }

  private mutating func member(depth: Int) throws(SatchelError) -> JSONMember {
    let offset = position
    guard peek == UInt8(ascii: "\"") else { throw source.error("expected a key in double quotes", at: position) }
    let key = try string()
    skipSpace()
    guard skip(UInt8(ascii: ":")) else { throw source.error("expected ':'", at: position) }
    skipSpace()
    return JSONMember(key: key, offset: offset, node: try node(depth: depth + 1))
  }

  private mutating func word(_ word: StaticString, _ value: Value) throws(SatchelError) -> JSONNode {
    let end = position + word.utf8CodeUnitCount
    let matches =
      end <= source.bytes.count
      && source.bytes[position..<end].elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: end - position))
    guard matches else { throw source.error("expected a value", at: position) }
    position = end
    return .scalar(value)
  }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
  }
}
