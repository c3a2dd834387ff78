import CSatchelSystem
import Glibc

/// Writes the segments of a record where it is to lie: in the ring, or, where that has no room for all of it, in memory of the
/// thread. Nothing here allocates as long as the ring has room.
///
/// A literal of known length becomes stores of its bytes: this is inlined into the call.
public struct RecordWriter {
  @usableFromInline var at: UnsafeMutableRawPointer
  @usableFromInline var stop: UnsafeMutableRawPointer
  @usableFromInline let view: UnsafeMutablePointer<scs_log_view>
  /// The last literal begins here; it announces what follows where nothing else is between them.
  @usableFromInline var literal = 0
  @usableFromInline var literalCount = 0
  /// The name of the field says that its value is a secret.
  @usableFromInline var hides = false

  @inlinable @inline(__always)
  init(_ view: UnsafeMutablePointer<scs_log_view>) {
    self.view = view
    at = UnsafeMutableRawPointer(view.pointee.cursor.unsafelyUnwrapped)
    stop = UnsafeMutableRawPointer(view.pointee.stop.unsafelyUnwrapped)
  }

  /// In memory that is large enough for all that will be written.
  init(at start: UnsafeMutableRawPointer, stop: UnsafeMutableRawPointer) {
    view = scs_no_log_view()
    at = start
    self.stop = stop
  }

  /// Another writer goes on where this one stands.
  @inlinable @inline(__always)
  func pause() { view.pointee.cursor = at.assumingMemoryBound(to: UInt8.self) }

  @inlinable @inline(__always)
  mutating func makeRoom(_ count: Int) {
    if stop - at < count {
      at = RecordWriter.moveToScratch(view, at, count)
      stop = UnsafeMutableRawPointer(view.pointee.stop.unsafelyUnwrapped)
    }
  }

  @inlinable @inline(__always)
  mutating func text(_ tag: Segment, _ bytes: UnsafeRawPointer?, _ count: Int) {
    if count > RecordWriter.longestText { return resume(RecordWriter.longText(view, at, tag, bytes, count)) }
    makeRoom(4 + count)
    at.storeBytes(of: UInt32(truncatingIfNeeded: count) << 8 | UInt32(tag.rawValue), as: UInt32.self)
    if let bytes { memcpy(at + 4, bytes, count) }
    at += 4 + count
  }

  @usableFromInline static let longestText = 0xff_ffff

  /// In several segments, which are read as one.
  @inline(never) @usableFromInline
  static func longText(
    _ view: UnsafeMutablePointer<scs_log_view>, _ at: UnsafeMutableRawPointer, _ tag: Segment,
    _ bytes: UnsafeRawPointer?, _ count: Int
  ) -> UnsafeMutableRawPointer {
    guard let bytes else { return at }
    var writer = RecordWriter(view, at: at)
    for start in stride(from: 0, to: count, by: longestText) {
      writer.text(tag, bytes + start, min(longestText, count - start))
    }
    return writer.at
  }

  @inlinable @inline(__always)
  mutating func word(_ tag: Segment, _ word: UInt64) {
    makeRoom(9)
    at.storeBytes(of: tag.rawValue, as: UInt8.self)
    (at + 1).storeBytes(of: word, as: UInt64.self)
    at += 9
  }

  @inlinable @inline(__always)
  mutating func literal(_ tag: Segment, _ text: StaticString) {
    if text.hasPointerRepresentation {
      if text.utf8CodeUnitCount > 0 { self.text(tag, text.utf8Start, text.utf8CodeUnitCount) }
    } else {
      text.withUTF8Buffer { self.text(tag, $0.baseAddress, $0.count) }
    }
  }

  // What is not inlined takes and gives back where writing stands: a writer whose address is taken lives in memory, and each
  // append would wait for the one before it.

  /// A message of any length is kept: from here on the record lies in memory of this thread. Gives where it goes on.
  @inline(never) @usableFromInline
  static func moveToScratch(
    _ view: UnsafeMutablePointer<scs_log_view>, _ at: UnsafeMutableRawPointer, _ more: Int
  ) -> UnsafeMutableRawPointer {
    let used = at - UnsafeMutableRawPointer(view.pointee.record.unsafelyUnwrapped)
    Scratch.grow(view, used: used, more: more)
    return UnsafeMutableRawPointer(view.pointee.record.unsafelyUnwrapped) + used
  }

  /// One that goes on there, in a function that is not inlined.
  @usableFromInline
  init(_ view: UnsafeMutablePointer<scs_log_view>, at: UnsafeMutableRawPointer) {
    self.view = view
    self.at = at
    stop = UnsafeMutableRawPointer(view.pointee.stop.unsafelyUnwrapped)
  }

  /// Goes on where another one has come to.
  @inlinable @inline(__always)
  mutating func resume(_ place: UnsafeMutableRawPointer) {
    at = place
    stop = UnsafeMutableRawPointer(view.pointee.stop.unsafelyUnwrapped)
  }
}

/// Memory of one thread for the record that it is writing. It is mapped, not allocated: a signal handler may be here, and the
/// allocator in the middle of something.
enum Scratch {
  static let least = 64 << 10

  /// A record of `used` bytes goes on where there is room for `more`. It ends the process where there is no memory at all, as
  /// every growing string does; callers that can say no ask before.
  static func grow(_ view: UnsafeMutablePointer<scs_log_view>, used: Int, more: Int) {
    let size = max(least, (used + more + 8) * 2)
    guard let fresh = map(size), let record = view.pointee.record else { abort() }
    memcpy(fresh, record, used)
    unmap(view)
    view.pointee.scratch = fresh
    view.pointee.scratch_size = UInt64(size)
    view.pointee.record = fresh
    view.pointee.stop = fresh + size - 8
    view.pointee.unusual |= Unusual.inScratch
  }

  /// The record that begins lies here from its start. False where there is no memory.
  static func begin(_ view: UnsafeMutablePointer<scs_log_view>) -> Bool {
    guard let fresh = map(least) else { return false }
    view.pointee.scratch = fresh
    view.pointee.scratch_size = UInt64(least)
    view.pointee.record = fresh
    view.pointee.stop = fresh + least - 8
    view.pointee.cursor = fresh + RecordLayout.body
    view.pointee.unusual |= Unusual.inScratch
    view.pointee.limit = 0
    return true
  }

  static func drop(_ view: UnsafeMutablePointer<scs_log_view>) {
    unmap(view)
    view.pointee.unusual &= ~Unusual.inScratch
  }

  private static func map(_ size: Int) -> UnsafeMutablePointer<UInt8>? {
    let room = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let room, room != MAP_FAILED else { return nil }
    return room.assumingMemoryBound(to: UInt8.self)
  }

  private static func unmap(_ view: UnsafeMutablePointer<scs_log_view>) {
    guard let scratch = view.pointee.scratch else { return }
    munmap(scratch, Int(view.pointee.scratch_size))
    view.pointee.scratch = nil
  }
}

/// Bits of `scs_log_view.unusual`.
@usableFromInline
enum Unusual {
  /// The record lies in scratch.
  @usableFromInline static let inScratch: UInt64 = 1
  /// Another record of this thread is open around it.
  @usableFromInline static let isNested: UInt64 = 2
  /// Records were dropped before it.
  @usableFromInline static let hasLost: UInt64 = 4
  /// The processor has no ticks that can be relied on.
  @usableFromInline static let usesClock: UInt64 = 8
}
