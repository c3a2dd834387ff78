/// One character beyond ASCII as it lies in memory.
struct UTF8Scalar {
  let value: UInt32
  let length: Int

  /// nil where no UTF-8 begins (Unicode 15, table 3-7). There is a byte at `start`.
  @inline(__always)
  init?(_ start: UnsafeRawPointer, before end: UnsafeRawPointer) {
    let first = UInt32(start.load(as: UInt8.self))
    let length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    guard first >= 0xc2, first < 0xf5, end - start >= length else { return nil }
    var value = first & (0x7f >> UInt32(length))
    for place in 1..<length {
      let next = start.load(fromByteOffset: place, as: UInt8.self)
      guard next & 0xc0 == 0x80 else { return nil }
      value = value << 6 | UInt32(next & 0x3f)
    }
    // Longer than needed, half of a surrogate pair, beyond Unicode.
    guard value >= (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000) else { return nil }
    guard !(0xd800...0xdfff).contains(value), value <= 0x10_ffff else { return nil }
    self.value = value
    self.length = length
  }

  /// It would break a line, reorder what is around it, or hide: text from outside could pass for something else by it. The joiners
  /// stay, since Persian, Indic scripts and emoji are written with them.
  var isHazard: Bool {
    switch value {
    case 0x80...0x9f, 0x61c, 0x180e, 0x200b, 0x200e...0x200f, 0x2028...0x202e, 0x2060...0x206f: true
    case 0xfeff, 0xfff9...0xfffb, 0xe0000...0xe007f: true
    default: false
    }
  }
}
