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
    let isDone: Void? = copy.utf8.withContiguousStorageIfAvailable { foreign(tag, UnsafeRawBufferPointer($0)) }
    if isDone == nil { slowString(tag, copy) }
  }

  /// One that is not stored as UTF-8 in one piece.
  @inline(never) @usableFromInline
  mutating func slowString(_ tag: Segment, _ text: String) {
    var text = text
    text.withUTF8 { foreign(tag, UnsafeRawBufferPointer($0)) }
  }

  @inline(never) @usableFromInline
  mutating func foreign(_ tag: Segment, _ text: UnsafeRawBufferPointer) {
    guard view.pointee.redacts != 0 else { return self.text(tag, text.baseAddress, text.count) }
    if isAnnounced {
      return word(.secret, Secrets.fingerprint(text))
    }
    guard let size = Redactor.redactedSize(of: text) else { return self.text(tag, text.baseAddress, text.count) }
    redacted(tag, text, size)
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
    if hides { hide(bits) } else { word(tag, bits) }
  }

  @inline(never) @usableFromInline
  mutating func hide(_ bits: UInt64) {
    withUnsafeBytes(of: bits) { word(.secret, Secrets.fingerprint($0)) }
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
