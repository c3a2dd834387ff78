import CSatchelSystem
import Glibc

/// Memory that may not be there: the kernel is asked to copy it. Where it does not let a process ask (a filter of system calls), only
/// what the caller vouches for can be read.
struct DoubtfulMemory {
  /// The value that was handed over.
  let known: UnsafeRawBufferPointer

  func load<T: BitwiseCopyable & ExpressibleByIntegerLiteral>(_ place: UnsafeRawPointer, as type: T.Type) -> T? {
    var value: T = 0
    let isRead = withUnsafeMutableBytes(of: &value) { copy(place, to: $0) }
    return isRead ? value : nil
  }

  func bytes(_ place: UnsafeRawPointer, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return bytes.withUnsafeMutableBytes { copy(place, to: $0) } ? bytes : nil
  }

  /// Whether its first and last byte can be read.
  func isReadable(_ place: UnsafeRawPointer, _ count: Int) -> Bool {
    guard count > 0 else { return true }
    let (end, isTooFar) = UInt(bitPattern: place).addingReportingOverflow(UInt(count - 1))
    guard !isTooFar, let last = UnsafeRawPointer(bitPattern: end) else { return false }
    return load(place, as: UInt8.self) != nil && load(last, as: UInt8.self) != nil
  }

  /// Up to the NUL, in steps that end with a page. nil where not even the first byte can be read.
  func text(_ place: UnsafeRawPointer, atMost most: Int) -> [UInt8]? {
    var text: [UInt8] = []
    while text.count < most {
      let next = place + text.count
      let untilPage = 4096 - Int(UInt(bitPattern: next) & 4095)
      guard let part = bytes(next, min(untilPage, most - text.count)) else { return text.isEmpty ? nil : text }
      text += part.prefix { $0 != 0 }
      if part.contains(0) { break }
    }
    return text
  }

  private func copy(_ place: UnsafeRawPointer, to room: UnsafeMutableRawBufferPointer) -> Bool {
    guard let start = room.baseAddress, !room.isEmpty else { return true }
    let error = scs_read_memory(start, place, room.count)
    if error == 0 || error == EFAULT || !isKnown(place, room.count) { return error == 0 }
    memcpy(start, place, room.count)
    return true
  }

  private func isKnown(_ place: UnsafeRawPointer, _ count: Int) -> Bool {
    guard let start = known.baseAddress, place >= start else { return false }
    return place - start <= known.count - count
  }
}
