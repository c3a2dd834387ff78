// Two rules, because a program that says "URL" knows what it stores, and text that happens to be there does not.

extension Value {
  /// Whether text may stand in `.url`: not empty, no space, no control character. Relative references are fine.
  public static func isURL(_ text: String) -> Bool {
    guard !text.isEmpty else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.value > 0x20 && !(0x7f...0xa0).contains(scalar.value)
        && !(0x2028...0x2029).contains(scalar.value)
    }
  }

  /// Whether text that was not stored as a URL reads as one: a scheme, a colon and something after it.
  public static func isAbsoluteURL(_ text: String) -> Bool {
    guard isURL(text), let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = text.utf8[..<colon]
    guard let first = scheme.first, first.isASCIILetter else { return false }
    let fitting = scheme.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
    return fitting && text.utf8.index(after: colon) < text.utf8.endIndex
  }
}
