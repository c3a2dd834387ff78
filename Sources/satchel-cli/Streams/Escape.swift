/// Text on one line, in the form that `printf %b` of any shell undoes.
///
/// A backslash is `\\`, line feed, tab and carriage return are `\n`, `\t` and `\r`, every other control character is
/// `\0` and three octal digits for each of its bytes. In keys `=` is `\0075`, so that the first `=` of a line ends it.
enum Escape {
  static let explanation = """
    Keys and values are written on one line each: a backslash as \\\\, a line feed as \\n, a tab as \\t, a carriage \
    return as \\r, any other control character as \\0 and three octal digits for each of its bytes, and in a key = as \
    \\0075. So the first = of a line ends the key, and printf %b of any shell undoes the rest.
    """

  static func value(_ text: String) -> String { escaped(text, backslash: true) { _ in false } }

  static func key(_ text: String) -> String { escaped(text, backslash: true) { $0 == "=" } }

  /// Without spaces, for a column.
  static func word(_ text: String) -> String { escaped(text, backslash: true) { $0 == " " } }

  /// For messages, where a backslash stays as it is.
  static func controls(in text: String) -> String { escaped(text, backslash: false) { _ in false } }

  private static func escaped(_ text: String, backslash: Bool, _ isSpecial: (Unicode.Scalar) -> Bool) -> String {
    // Nearly all text is plain and stays as it is. 0xC2 begins the control characters U+0080 … U+009F, 0xE2 the line
    // and paragraph separators.
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7f && $0 != 0x5c && $0 != 0xc2 && $0 != 0xe2 && !isSpecial(Unicode.Scalar($0))
    }
    if isPlain { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\" where backslash: result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        let isEscaped = isControl(scalar) || isSpecial(scalar)
        result += isEscaped ? octal(scalar) : String(scalar)
      }
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) || (0x2028...0x2029).contains(scalar.value)
  }

  private static func octal(_ scalar: Unicode.Scalar) -> String {
    var result = ""
    for byte in String(scalar).utf8 {
      let digits = String(byte, radix: 8)
      result += "\\0" + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }
    return result
  }
}
