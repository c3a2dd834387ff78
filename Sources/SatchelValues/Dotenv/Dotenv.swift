import SatchelSystem

/// Files of `KEY=value` lines, as `.env` and `/etc/os-release` are. Values are text; nothing in them is expanded.
public enum Dotenv {
  /// Reads the pairs in order, a key as often as it comes; the grammar is in docs/values.md.
  ///
  /// Throws `.parse` with the line. O(size).
  public static func parse(_ text: String) throws(SatchelError) -> [(key: String, value: String)] {
    var parser = DotenvParser(text: text)
    return try parser.pairs()
  }

  /// The same of bytes, as a dictionary of strings; where a key comes twice the last one counts.
  ///
  /// Throws `.parse` with the line, or where it is not UTF-8; `.noMemory`. O(size).
  public static func dictionary(_ bytes: [UInt8]) throws(SatchelError) -> ValueDictionary {
    // The text, the parser's and a value that grows as long, and the pairs in an array and in the dictionary.
    try Memory.claim(bytes.count * 6 + (bytes.count { $0 == UInt8(ascii: "\n") } + 1) * 256)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw SatchelError(.parse, "it is not UTF-8") }
    var dictionary = ValueDictionary()
    for (key, value) in try parse(text) { dictionary.updateValue(.string(value), forKey: key) }
    return dictionary
  }

  /// Writes each value as its text.
  ///
  /// Throws as below, and `.type`, naming the key, for null, an array and a dictionary; `.noMemory`.
  public static func format(_ dictionary: ValueDictionary) throws(SatchelError) -> String {
    var pairs: [(key: String, value: String)] = []
    for (key, value) in dictionary {
      try pairs.claimRoom()
      pairs.append((key, try value.text(for: key, in: "a dotenv file")))
    }
    // The text while it grows, with its quotes, and a copy of it.
    try Memory.claim(pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count * 2 + 4 } * 3)
    return try format(pairs)
  }

  /// Writes one line for each pair, more where a value has line breaks, so that `parse` reads it back, and so does a POSIX
  /// shell where the keys are names of variables.
  ///
  /// Throws `.type`, naming the key, for a key that is not `[A-Za-z_][A-Za-z0-9_.-]*` and for a value with a NUL.
  /// O(size).
  public static func format(_ pairs: [(key: String, value: String)]) throws(SatchelError) -> String {
    var output = ""
    for (key, value) in pairs {
      guard isKey(key.utf8) else {
        throw SatchelError(.type, "the key \(key.quoted) has no form in a dotenv file", key: key)
      }
      guard !value.utf8.contains(0) else {
        throw SatchelError(.type, "a NUL in the value has no form in a dotenv file", key: key)
      }
      output += key + "=" + quoted(value) + "\n"
    }
    return output
  }

  static func isKey(_ key: some Collection<UInt8>) -> Bool {
    guard let first = key.first, first.isASCIILetter || first == UInt8(ascii: "_") else { return false }
    return key.allSatisfy { isKeyByte($0) }
  }

  static func isKeyByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || "_.-".utf8.contains(byte)
  }

  /// Bare where nothing is special, else in single quotes, which take everything but a single quote.
  private static func quoted(_ value: String) -> String {
    let isPlain = value.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "_./:@%+,=-".utf8.contains($0) }
    if isPlain, !value.isEmpty { return value }
    if !value.utf8.contains(UInt8(ascii: "'")) { return "'" + value + "'" }
    var output = "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"", "\\", "$", "`": output += "\\" + String(scalar)
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output + "\""
  }
}
