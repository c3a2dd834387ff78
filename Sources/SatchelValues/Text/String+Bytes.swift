extension String {
  /// Byte by byte. Swift's `==` is canonical equivalence, in which two different keys can be equal.
  func isSameBytes(as other: String) -> Bool {
    let same = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.elementsEqual(right) }
    }
    if case .some(.some(let same)) = same { return same }
    return utf8.elementsEqual(other.utf8)
  }

  /// Feeds exactly the bytes, so that hashing agrees with `isSameBytes`.
  func hashBytes(into hasher: inout Hasher) {
    let done: Void? = utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    if done == nil { for byte in utf8 { hasher.combine(byte) } }
    hasher.combine(0xff as UInt8)
  }

  /// The text in quotes for an error message: no control characters, and not longer than a line.
  var quoted: String {
    var result = "\""
    var count = 0
    for scalar in unicodeScalars {
      guard count < 60 else { return result + "\"…" }
      if scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
      count += 1
    }
    return result + "\""
  }
}

/// A string as a key of a hash table that tells NFC from NFD.
struct ByteKey: Hashable, Sendable {
  let text: String

  static func == (left: ByteKey, right: ByteKey) -> Bool { left.text.isSameBytes(as: right.text) }
  func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
