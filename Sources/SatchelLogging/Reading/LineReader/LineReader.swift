import CSatchelSystem
import Glibc
import SatchelSystem

/// Reads a file record by record: a line, and in text the indented ones behind it. It holds one record at a time, whatever the size
/// of the file, and gives up on none: what is too long comes in pieces.
final class LineReader {
  let descriptor: Int32
  /// Of the first byte in `buffer`.
  private var base: Int64
  /// Nothing is read from there on.
  var end: Int64
  private var buffer: UnsafeMutableRawPointer
  private var capacity = 64 << 10
  private var first = 0
  private var count = 0

  /// No record that a program can write is as long.
  private static let longest = 512 << 20

  /// Takes the descriptor over.
  init(_ descriptor: Int32, from start: Int64 = 0, to end: Int64 = .max) {
    self.descriptor = descriptor
    base = start
    self.end = end
    buffer = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    buffer.deallocate()
    close(descriptor)
  }

  /// Where the next record begins.
  var position: Int64 { base + Int64(first) }

  /// Goes on at another place.
  func seek(to position: Int64) { (base, first, count) = (position, 0, 0) }

  /// The next record, lent until the next call; nil at the end. What has no line feed yet is given only where `takesRest` is set.
  func next(takesRest: Bool) -> UnsafeRawBufferPointer? {
    guard var length = lineLength(from: 0, takesRest: takesRest) else { return nil }
    if FileFormat(startingAt: bytes(0..<length)) == .text, beginsRecord {
      while isIndented(at: length), let more = lineLength(from: length, takesRest: takesRest) { length += more }
    }
    let record = bytes(0..<length)
    first += length
    return record
  }

  /// Indented lines behind a line that is no record are lines of their own.
  private var beginsRecord: Bool { count > first && (buffer + first).load(as: UInt8.self).isDigit }

  private func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: buffer + first + range.lowerBound, count: range.count)
  }

  private func isIndented(at offset: Int) -> Bool {
    while count - first < offset + 4 { if !fill() { return false } }
    return bytes(offset..<offset + 4).allSatisfy { $0 == UInt8(ascii: " ") }
  }

  private func lineLength(from offset: Int, takesRest: Bool) -> Int? {
    var seen = offset
    while true {
      let rest = count - first - seen
      if rest > 0, let found = memchr(buffer + first + seen, 0x0a, rest) {
        return UnsafeRawPointer(found) - UnsafeRawPointer(buffer) + 1 - first - offset
      }
      seen += rest
      if seen - offset >= LineReader.longest { return seen - offset }
      if !fill() { return takesRest && seen > offset ? seen - offset : nil }
    }
  }

  /// Reads on. False at the end.
  private func fill() -> Bool {
    if first > 0 {
      memmove(buffer, buffer + first, count - first)
      base += Int64(first)
      count -= first
      first = 0
    }
    if count == capacity { grow() }
    let wanted = min(Int64(capacity - count), end - base - Int64(count))
    guard wanted > 0 else { return false }
    var got: Int
    repeat {
      got = pread(descriptor, buffer + count, Int(wanted), off_t(base) + off_t(count))
    } while got < 0 && errno == EINTR
    guard got > 0 else { return false }
    count += got
    return true
  }

  private func grow() {
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity * 2, alignment: 16)
    memcpy(larger, buffer, count)
    buffer.deallocate()
    buffer = larger
    capacity *= 2
  }
}

extension LineReader {
  /// nil where it cannot be opened, or is no regular file.
  convenience init?(path: String, from start: Int64 = 0, to end: Int64 = .max) {
    let descriptor = scs_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0)
    guard descriptor >= 0 else { return nil }
    self.init(descriptor, from: start, to: end)
  }
}
