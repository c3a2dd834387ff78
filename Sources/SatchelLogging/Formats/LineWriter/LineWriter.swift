import Glibc

/// Appends to memory that has room for all of it, and for eight bytes more: whole words are stored where fewer bytes count.
/// Nothing here allocates, locks, or looks at what was there.
struct LineWriter {
  var at: UnsafeMutableRawPointer

  @inline(__always)
  mutating func byte(_ byte: UInt8) {
    at.storeBytes(of: byte, as: UInt8.self)
    at += 1
  }

  @inline(__always)
  mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    copy(start, bytes.count)
  }

  @inline(__always)
  mutating func copy(_ start: UnsafeRawPointer, _ count: Int) {
    memcpy(at, start, count)
    at += count
  }

  @inline(__always)
  mutating func word(_ word: StaticString) { copy(word.utf8Start, word.utf8CodeUnitCount) }
}
