import SatchelSystem

/// Values as JSON (RFC 8259), exact in both directions.
///
/// Integers keep all 64 bits, doubles always show a point or an exponent, dictionaries keep their order. What JSON
/// has no type for is an object with one key that begins with `$`: `$data`, `$date`, `$url`, `$uuid`, `$double`; and
/// `$object` around a real dictionary that looks like one of these. docs/values.md has the forms.
public enum JSON {
  /// Reads one JSON text. A byte order mark in front is skipped.
  ///
  /// Throws `.parse`, with line and column (both from 1; columns count characters), for malformed text, a key that
  /// comes twice, a lone surrogate or an unknown `$` object; `.range` for a number or date that a value cannot hold
  /// and for nesting deeper than `Value.nestingLimit`; `.noMemory`. O(size).
  public static func parse(_ utf8: UnsafeRawBufferPointer) throws(SatchelError) -> Value {
    let source = JSONSource(bytes: utf8)
    if let offset = UTF8Check.firstInvalid(in: utf8) { throw source.error("not UTF-8", at: offset) }
    var parser = JSONParser(source: source)
    let node = try parser.document()
    return try JSONResolver(source: source).value(node, depth: 0)
  }

  /// Reads one JSON text. Errors as the first overload.
  public static func parse(_ utf8: [UInt8]) throws(SatchelError) -> Value {
    try utf8.withUnsafeBufferPointer { (buffer) throws(SatchelError) -> Value in
      try parse(UnsafeRawBufferPointer(buffer))
    }
  }

  /// Reads one JSON text. Errors as the first overload.
  public static func parse(_ text: String) throws(SatchelError) -> Value {
    try Memory.claim(text.utf8.count)
    return try parse(Array(text.utf8))
  }

  /// The value as JSON: on one line without spaces, or pretty with two spaces of indentation.
  ///
  /// Throws `.range` for nesting deeper than `Value.nestingLimit`, `.noMemory`. O(size).
  public static func format(_ value: Value, pretty: Bool) throws(SatchelError) -> String {
    let bytes = try utf8(value, pretty: pretty)
    try Memory.claim(bytes.count)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The same as bytes.
  package static func utf8(_ value: Value, pretty: Bool) throws(SatchelError) -> [UInt8] {
    guard !value.isNested(deeperThan: Value.nestingLimit) else { throw Value.tooDeep }
    var writer = JSONWriter(isPretty: pretty)
    try writer.write(value, indent: 0)
    return writer.output
  }
}

/// The text and, for errors, where in it something stands.
struct JSONSource {
  let bytes: UnsafeRawBufferPointer

  func error(_ message: String, at offset: Int, _ code: SatchelError.Code = .parse) -> SatchelError {
    var line = 1
    var column = 1
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xc0 != 0x80 {
        column += 1
      }
    }
    return SatchelError(code, "line \(line), column \(column): \(message)")
  }
}

/// JSON as it is written, before `$` objects get their meaning: that depends on what stands around them.
enum JSONNode {
  case scalar(Value)
  case array([JSONNode], offset: Int)
  case object([JSONMember], offset: Int)
}

struct JSONMember {
  let key: String
  let offset: Int
  let node: JSONNode
}
