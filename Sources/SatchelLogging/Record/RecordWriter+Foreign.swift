import CSatchelSystem
import SatchelSystem

// Text that was made as the program ran, and may hold anything: secrets are taken out before it gets into a ring, which outlives
// the process and is read by others.

extension RecordWriter {
  /// What a logger's message says in its own words. Remembered, since `password=` tells of the value behind it.
  @inlinable @inline(__always)
  mutating func words(_ text: StaticString) {
    literal(.literal, text)
    literalCount = text.utf8CodeUnitCount
    literal = Int(bitPattern: at) - literalCount
  }

  @inlinable @inline(__always)
  mutating func string(_ tag: Segment, _ text: borrowing String) {
    let copy = copy text
    let place = copy.utf8.withContiguousStorageIfAvailable {
      RecordWriter.foreign(view, at, tag, UnsafeRawBufferPointer($0), literal, literalCount)
    }
    resume(place ?? RecordWriter.slowString(view, at, tag, copy, literal, literalCount))
  }

  /// One that is not stored as UTF-8 in one piece.
  @inline(never) @usableFromInline
  static func slowString(
    _ view: UnsafeMutablePointer<scs_log_view>, _ at: UnsafeMutableRawPointer, _ tag: Segment, _ text: String,
    _ literal: Int, _ literalCount: Int
  ) -> UnsafeMutableRawPointer {
    var text = text
    return text.withUTF8 { foreign(view, at, tag, UnsafeRawBufferPointer($0), literal, literalCount) }
  }

  @inlinable @inline(__always)
  mutating func foreign(_ tag: Segment, _ text: UnsafeRawBufferPointer) {
    resume(RecordWriter.foreign(view, at, tag, text, literal, literalCount))
  }

  @inline(never) @usableFromInline
  static func foreign(
    _ view: UnsafeMutablePointer<scs_log_view>, _ at: UnsafeMutableRawPointer, _ tag: Segment,
    _ text: UnsafeRawBufferPointer, _ literal: Int, _ literalCount: Int
  ) -> UnsafeMutableRawPointer {
    var writer = RecordWriter(view, at: at)
    writer.literal = literal
    writer.literalCount = literalCount
    if view.pointee.redacts == 0 {
      writer.text(tag, text.baseAddress, text.count)
    } else if writer.isAnnounced {
      writer.word(.secret, Secrets.fingerprint(text))
    } else if let size = Redactor.redactedSize(of: text) {
      writer.redacted(tag, text, size)
    } else {
      writer.text(tag, text.baseAddress, text.count)
    }
    return writer.at
  }

  private var isAnnounced: Bool {
    guard literalCount > 0, Int(bitPattern: at) == literal + literalCount else { return false }
    let words = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: literal), count: literalCount)
    return Redactor.announcesSecret(words)
  }

  private mutating func redacted(_ tag: Segment, _ text: UnsafeRawBufferPointer, _ size: Int) {
    guard size <= RecordWriter.longestText else { return word(.secret, Secrets.fingerprint(text)) }
    makeRoom(4 + size + 8)
    at.storeBytes(of: UInt32(truncatingIfNeeded: size) << 8 | UInt32(tag.rawValue), as: UInt32.self)
    at = Redactor.write(text, to: at + 4)
  }
}

// Fields, whose names tell what their values are.

extension RecordWriter {
  @inlinable @inline(__always)
  public mutating func field(_ name: StaticString) {
    literal(.field, name)
    hides = isSecret(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  @inlinable
  public mutating func field(_ name: UnsafeRawBufferPointer) {
    text(.field, name.baseAddress, name.count)
    hides = isSecret(name)
  }

  @usableFromInline
  func isSecret(_ name: UnsafeRawBufferPointer) -> Bool { view.pointee.redacts != 0 && Redactor.isSecret(name: name) }

  @inlinable @inline(__always)
  public mutating func value(_ number: Int64) { number64(.int, UInt64(bitPattern: number)) }
  @inlinable @inline(__always)
  public mutating func value(_ number: UInt64) { number64(.uint, number) }
  @inlinable @inline(__always)
  public mutating func value(_ number: Double) { number64(.double, number.bitPattern) }
  @inlinable @inline(__always)
  public mutating func value(_ truth: Bool) { number64(.bool, truth ? 1 : 0) }

  @inlinable @inline(__always)
  mutating func number64(_ tag: Segment, _ bits: UInt64) {
    word(hides ? .secret : tag, hides ? Secrets.fingerprint(bits) : bits)
    hides = false
  }

  @inlinable
  public mutating func value(text: UnsafeRawBufferPointer) {
    if hides { value(secret: text) } else { foreign(.text, text) }
  }
  @inlinable
  public mutating func value(_ text: borrowing String) {
    var copy = copy text
    copy.withUTF8 { value(text: UnsafeRawBufferPointer($0)) }
  }
  @inlinable
  public mutating func value(bytes: UnsafeRawBufferPointer) {
    if hides { value(secret: bytes) } else { text(.bytes, bytes.baseAddress, bytes.count) }
  }
  /// Never stored; equal ones can be told by what is.
  @inlinable
  public mutating func value(secret: UnsafeRawBufferPointer) {
    word(.secret, Secrets.fingerprint(secret))
    hides = false
  }
  @inlinable @inline(__always)
  public mutating func null() { word(.null, 0) }
}
