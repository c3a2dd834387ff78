import Glibc
import SatchelSystem

extension LineWriter {
  @inline(__always)
  mutating func decimal(_ number: UInt64) {
    let digits = LineWriter.digits(of: number)
    var rest = number
    var place = at + digits
    at = place
    while rest >= 100 {
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      place -= 2
      LineWriter.pair(pair, place)
      rest = quotient
    }
    if rest >= 10 {
      LineWriter.pair(rest, place - 2)
    } else {
      (place - 1).storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x30, as: UInt8.self)
    }
  }

  @inline(__always)
  mutating func decimal(_ number: Int64) {
    if number < 0 { byte(UInt8(ascii: "-")) }
    decimal(number.magnitude)
  }

  /// So many digits of it, zeros first.
  mutating func decimal(_ number: UInt64, width: Int) {
    var rest = number
    for place in stride(from: width - 1, through: 0, by: -1) {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      (at + place).storeBytes(of: UInt8(truncatingIfNeeded: digit) | 0x30, as: UInt8.self)
      rest = quotient
    }
    at += width
  }

  /// Six digits, which every line has.
  @inline(__always)
  static func six(_ number: UInt64, _ place: UnsafeMutableRawPointer) {
    pair(number / 10_000, place)
    pair(number / 100 % 100, place + 2)
    pair(number % 100, place + 4)
  }

  @inline(__always)
  private static func pair(_ number: UInt64, _ place: UnsafeMutableRawPointer) {
    let digits = 0x3030 | UInt16(truncatingIfNeeded: number / 10) | UInt16(truncatingIfNeeded: number % 10) << 8
    place.storeBytes(of: digits, as: UInt16.self)
  }

  private static func digits(of number: UInt64) -> Int {
    var count = 1
    var rest = number
    while rest >= 10_000 {
      rest /= 10_000
      count += 4
    }
    return count + (rest >= 1000 ? 3 : rest >= 100 ? 2 : rest >= 10 ? 1 : 0)
  }

  /// Two digits for each byte, in lower case.
  mutating func hex(_ byte: UInt8) {
    self.byte(LineWriter.hexDigit(byte >> 4))
    self.byte(LineWriter.hexDigit(byte & 15))
  }

  mutating func hex(_ number: UInt64, width: Int) {
    for shift in stride(from: (width - 1) * 4, through: 0, by: -4) {
      byte(LineWriter.hexDigit(UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 15))
    }
  }

  /// Without leading zeros.
  mutating func hex(_ number: UInt64) {
    hex(number, width: max(1, (67 - number.leadingZeroBitCount) / 4))
  }

  @inline(__always)
  private static func hexDigit(_ digit: UInt8) -> UInt8 { digit < 10 ? 0x30 + digit : 0x57 + digit }

  /// The shortest text that reads back as this number, always with a point or an exponent; `nan`, `inf`, `-inf`.
  mutating func double(_ number: Double) {
    if number.isNaN {
      word("nan")
    } else if !shortDouble(number) {
      number.write(to: &self)
    }
  }

  /// One that a few decimals say in full, as most that people log: what reads back as the number is found by trying. False where
  /// there is none.
  private mutating func shortDouble(_ number: Double) -> Bool {
    let magnitude = number.magnitude
    guard magnitude < 1e9, magnitude >= 1e-4 else { return false }
    var scale = 1.0
    for decimals in 0...6 {
      // Below 2^53, as the power of ten is: the quotient is the number nearest to what is written, or another one.
      let digits = Int64(magnitude * scale + 0.5)
      if Double(digits) / scale == magnitude {
        if number < 0 { byte(UInt8(ascii: "-")) }
        write(UInt64(digits), over: UInt64(scale), decimals)
        return true
      }
      scale *= 10
    }
    return false
  }

  private mutating func write(_ digits: UInt64, over scale: UInt64, _ count: Int) {
    let (whole, fraction) = digits.quotientAndRemainder(dividingBy: scale)
    decimal(whole)
    byte(UInt8(ascii: "."))
    decimal(fraction, width: max(1, count))
  }

  /// In UTC, to the nanosecond: a time that is a value.
  mutating func time(_ nanoseconds: Int64) {
    let (second, fraction) = nanoseconds.floored(by: 1_000_000_000)
    TimeText.write(second: second, to: at)
    at += TimeText.secondLength
    byte(UInt8(ascii: "."))
    decimal(UInt64(fraction), width: 9)
    byte(UInt8(ascii: "Z"))
  }
}

/// Through this the standard library writes its digits where they are to stand. Its strings of them are allocated.
extension LineWriter: TextOutputStream {
  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
  }

  mutating func _writeASCII(_ text: UnsafeBufferPointer<UInt8>) { bytes(UnsafeRawBufferPointer(text)) }
}
