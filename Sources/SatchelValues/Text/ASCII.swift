extension UInt8 {
  var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// The digit as a number, either case, or nil.
  var hexDigit: UInt8? {
    if isASCIIDigit { return self - UInt8(ascii: "0") }
    let lower = self | 0x20
    guard (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lower) else { return nil }
    return lower - UInt8(ascii: "a") + 10
  }
}

/// Lower-case digits.
let hexDigits = Array("0123456789abcdef".utf8)
