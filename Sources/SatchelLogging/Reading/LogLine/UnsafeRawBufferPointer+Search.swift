import Glibc

extension UnsafeRawBufferPointer {
  /// Whether these bytes are in it, one behind the other.
  func contains(_ word: UnsafeRawBufferPointer) -> Bool {
    guard let first = word.first, let wanted = word.baseAddress else { return true }
    var rest = self[...]
    while rest.count >= word.count, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
      guard let found = memchr(start, Int32(first), rest.count - word.count + 1) else { return false }
      if memcmp(found, wanted, word.count) == 0 { return true }
      rest = rest.dropFirst(UnsafeRawPointer(found) - start + 1)
    }
    return false
  }

  func contains(_ word: StaticString) -> Bool {
    contains(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
  }
}
