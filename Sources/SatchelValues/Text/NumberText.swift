import SatchelSystem

extension Double {
  /// The shortest text that reads back as this very number, always with a point or an exponent, or `nan`, `inf`,
  /// `-inf`.
  var exactText: String { isNaN ? "nan" : description }
}

/// Numbers that people write: stricter than `strtod`, more forgiving than JSON.
enum NumberText {
  /// A sign and digits, decimal or `0x` and hexadecimal. Leading zeros mean nothing: there is no octal.
  /// Nil when the text is no integer.
  static func integer(_ text: String) -> (isNegative: Bool, magnitude: UInt64?)? {
    var rest = Substring(text).utf8
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    var base: UInt64 = 10
    if rest.starts(with: "0x".utf8) || rest.starts(with: "0X".utf8) {
      base = 16
      rest.removeFirst(2)
    }
    guard !rest.isEmpty else { return nil }
    var magnitude: UInt64? = 0
    for character in rest {
      guard let digit = character.hexDigit, UInt64(digit) < base else { return nil }
      magnitude = magnitude.flatMap { next($0, base, UInt64(digit)) }
    }
    return (isNegative, magnitude)
  }

  /// One more digit, or nil beyond 64 bits.
  private static func next(_ number: UInt64, _ base: UInt64, _ digit: UInt64) -> UInt64? {
    let (product, tooLarge) = number.multipliedReportingOverflow(by: base)
    let (sum, carries) = product.addingReportingOverflow(digit)
    return tooLarge || carries ? nil : sum
  }

  /// Digits with a point, an exponent or neither; or nan, inf, infinity in any case. Correctly rounded. Nil when the
  /// text is no number; an infinity that the text did not ask for is for the caller to refuse.
  static func double(_ text: String) -> (number: Double, isNamed: Bool)? {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let isSigned = isNegative || text.utf8.first == UInt8(ascii: "+")
    let magnitude = String(decoding: text.utf8.dropFirst(isSigned ? 1 : 0), as: UTF8.self)
    switch magnitude.lowercased() {
    case "nan": return (.nan, true)
    case "inf", "infinity": return (isNegative ? -.infinity : .infinity, true)
    default:
      guard isDecimal(magnitude), let number = Double(magnitude) else { return nil }
      return (isNegative ? -number : number, false)
    }
  }

  /// Digits, with at most one point among or beside them, and perhaps an exponent.
  private static func isDecimal(_ text: String) -> Bool {
    let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
    guard parts.count <= 2 else { return false }
    let mantissa = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard mantissa.count <= 2, mantissa.contains(where: { !$0.isEmpty }) else { return false }
    guard mantissa.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }) else { return false }
    guard parts.count == 2 else { return true }
    let isSigned = parts[1].first == UInt8(ascii: "-") || parts[1].first == UInt8(ascii: "+")
    let exponent = parts[1].dropFirst(isSigned ? 1 : 0)
    return !exponent.isEmpty && exponent.allSatisfy(\.isASCIIDigit)
  }
}
