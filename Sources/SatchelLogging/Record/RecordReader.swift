import Glibc
import SatchelSystem

/// A record as it lies in memory: borrowed, and read as it goes along. Any bytes can be read: what makes no sense ends it.
package struct RecordReader {
  package let start: UnsafeRawPointer

  /// nil where the head makes no sense; `room` is what can be read.
  package init?(_ start: UnsafeRawPointer, room: Int) {
    guard room >= RecordLayout.body else { return nil }
    let size = Int(start.loadUnaligned(fromByteOffset: RecordLayout.size, as: UInt32.self))
    let end = Int(start.loadUnaligned(fromByteOffset: RecordLayout.end, as: UInt32.self))
    guard size & 7 == 0, end >= RecordLayout.body, end <= size, size <= room else { return nil }
    self.start = start
  }

  package var size: Int { Int(half(RecordLayout.size)) }
  /// An unknown one, which is damage, is an error.
  package var severity: Severity {
    Severity(rawValue: start.load(fromByteOffset: RecordLayout.severity, as: UInt8.self)) ?? .error
  }
  package var kind: RecordKind {
    RecordKind(rawValue: start.load(fromByteOffset: RecordLayout.kind, as: UInt8.self) & 0x7f) ?? .message
  }
  /// Only for the flight recorder.
  package var isForRecorder: Bool {
    start.load(fromByteOffset: RecordLayout.kind, as: UInt8.self) & RecordLayout.forRecorder != 0
  }
  /// A row of the log's table of categories; 0: none.
  package var category: Int { Int(start.load(fromByteOffset: RecordLayout.category, as: UInt8.self)) }
  package var tick: UInt64 { start.loadUnaligned(fromByteOffset: RecordLayout.tick, as: UInt64.self) }
  package var pid: UInt32 { half(RecordLayout.pidTid) }
  package var tid: UInt32 { half(RecordLayout.pidTid + 4) }
  package var line: UInt32 { half(RecordLayout.line) }
  package var number: UInt32 { half(RecordLayout.number) }
  package var threadName: UnsafeRawBufferPointer {
    let name = start + RecordLayout.threadName
    return UnsafeRawBufferPointer(start: name, count: strnlen(name.assumingMemoryBound(to: CChar.self), 16))
  }

  private func half(_ offset: Int) -> UInt32 { start.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }

  /// A part of a record, lent as long as the record is.
  package enum Part {
    case literal(UnsafeRawBufferPointer)
    case text(UnsafeRawBufferPointer)
    case bytes(UnsafeRawBufferPointer)
    case int(Int64)
    case uint(UInt64)
    case double(Double)
    case bool(Bool)
    case pointer(UInt64)
    case time(Int64)
    case secret(UInt64)
    case file(UnsafeRawBufferPointer)
    case function(UnsafeRawBufferPointer)
    case category(UnsafeRawBufferPointer)
    case field(UnsafeRawBufferPointer)
    case null
  }

  /// Where reading stands. `next` gives the parts in order, nil at the end.
  package struct Cursor {
    private var at: UnsafeRawPointer
    private let end: UnsafeRawPointer

    fileprivate init(_ at: UnsafeRawPointer, _ end: UnsafeRawPointer) {
      self.at = at
      self.end = end
    }

    @inline(__always)
    package mutating func next() -> Part? {
      guard at < end else { return nil }
      let tag = at.load(as: UInt8.self)
      switch Segment(rawValue: tag) {
      case .literal: return text().map(Part.literal)
      case .text: return text().map(Part.text)
      case .bytes: return text().map(Part.bytes)
      case .file: return text().map(Part.file)
      case .function: return text().map(Part.function)
      case .category: return text().map(Part.category)
      case .field: return text().map(Part.field)
      case .int: return word().map { .int(Int64(bitPattern: $0)) }
      case .uint: return word().map { .uint($0) }
      case .double: return word().map { .double(Double(bitPattern: $0)) }
      case .bool: return word().map { .bool($0 != 0) }
      case .pointer: return word().map { .pointer($0) }
      case .time: return word().map { .time(Int64(bitPattern: $0)) }
      case .secret: return word().map { .secret($0) }
      case .null: return word().map { _ in .null }
      case nil: return ended()
      }
    }

    @inline(__always)
    private mutating func text() -> UnsafeRawBufferPointer? {
      guard end - at >= 4 else { return ended() }
      let count = Int(at.loadUnaligned(as: UInt32.self) >> 8)
      guard count <= end - at - 4 else { return ended() }
      defer { at += 4 + count }
      return UnsafeRawBufferPointer(start: at + 4, count: count)
    }

    @inline(__always)
    private mutating func word() -> UInt64? {
      guard end - at >= 9 else { return ended() }
      defer { at += 9 }
      return (at + 1).loadUnaligned(as: UInt64.self)
    }

    /// Damage: nothing behind it can be read.
    private mutating func ended<T>() -> T? {
      at = end
      return nil
    }
  }

  package var parts: Cursor { Cursor(start + RecordLayout.body, start + Int(half(RecordLayout.end))) }
}
