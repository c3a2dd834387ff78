import CSatchelSystem
import SatchelSystem

/// The message of a record, as a literal with values in it: `"played \(title) for \(seconds) s"`.
///
/// It is written where the record is to lie, as it is evaluated: its literals become stores, its numbers stay numbers, and no
/// `String` is made. It can be made only in the call of a logger.
public struct LogMessage: ExpressibleByStringInterpolation {
  public typealias StringLiteralType = StaticString

  @usableFromInline let writer: RecordWriter

  @inlinable @inline(__always)
  public init(stringInterpolation: StringInterpolation) { writer = stringInterpolation.writer }

  @inlinable @inline(__always)
  public init(stringLiteral text: StaticString) {
    var interpolation = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    interpolation.appendLiteral(text)
    writer = interpolation.writer
  }

  /// Text that was made beforehand. It is data, whatever it holds: never a format.
  @inlinable @inline(__always)
  public init(_ text: borrowing String) {
    var interpolation = StringInterpolation(literalCapacity: 0, interpolationCount: 0)
    interpolation.writer.string(.literal, text)
    writer = interpolation.writer
  }

  public struct StringInterpolation: StringInterpolationProtocol {
    public typealias StringLiteralType = StaticString

    @usableFromInline var writer: RecordWriter

    @inlinable @inline(__always)
    public init(literalCapacity: Int, interpolationCount: Int) {
      let view = scs_my_log_view().unsafelyUnwrapped
      precondition(view.pointee.record != nil, "a LogMessage is made only in the call of a logger")
      writer = RecordWriter(view)
    }

    @inlinable @inline(__always)
    public mutating func appendLiteral(_ literal: StaticString) { writer.words(literal) }

    @inlinable @inline(__always)
    public mutating func appendInterpolation(_ value: some FixedWidthInteger & SignedInteger) {
      writer.word(.int, UInt64(bitPattern: Int64(truncatingIfNeeded: value)))
    }

    @inlinable @inline(__always)
    public mutating func appendInterpolation(_ value: some FixedWidthInteger & UnsignedInteger) {
      writer.word(.uint, UInt64(truncatingIfNeeded: value))
    }

    @inlinable @inline(__always)
    public mutating func appendInterpolation(_ value: Double) { writer.word(.double, value.bitPattern) }

    @inlinable @inline(__always)
    public mutating func appendInterpolation(_ value: Float) { writer.word(.double, Double(value).bitPattern) }

    @inlinable @inline(__always)
    public mutating func appendInterpolation(_ value: Bool) { writer.word(.bool, value ? 1 : 0) }

    /// Text from anywhere: a line break in it is shown as an escape.
    @inlinable @inline(__always)
    public mutating func appendInterpolation(_ value: borrowing String) { writer.string(.text, value) }

    @inlinable @inline(__always)
    public mutating func appendInterpolation(_ value: StaticString) { writer.literal(.text, value) }

    /// Whatever else, by its description, which may itself log.
    @inlinable
    public mutating func appendInterpolation<Value>(_ value: Value) {
      writer.string(.text, String(describing: value))
    }

    /// A field beside the message: a name that programs find it by, and a value.
    @inlinable @inline(__always)
    public mutating func appendInterpolation(field name: StaticString, _ value: some LogFieldValue) {
      writer.field(name)
      value.write(to: &writer)
    }

    /// A value that nobody is to read, and by which equal ones can be told all the same. It never enters the ring.
    @inlinable
    public mutating func appendInterpolation(secret value: String) { writer.word(.secret, Secrets.fingerprint(value)) }
  }
}

/// What a field of a record can hold: one value, written by one call of the writer.
public protocol LogFieldValue {
  func write(to writer: inout RecordWriter)
}

extension Int: LogFieldValue {
  @inlinable @inline(__always)
  public func write(to writer: inout RecordWriter) { writer.value(Int64(self)) }
}
extension Int64: LogFieldValue {
  @inlinable @inline(__always)
  public func write(to writer: inout RecordWriter) { writer.value(self) }
}
extension UInt64: LogFieldValue {
  @inlinable @inline(__always)
  public func write(to writer: inout RecordWriter) { writer.value(self) }
}
extension Double: LogFieldValue {
  @inlinable @inline(__always)
  public func write(to writer: inout RecordWriter) { writer.value(self) }
}
extension Bool: LogFieldValue {
  @inlinable @inline(__always)
  public func write(to writer: inout RecordWriter) { writer.value(self) }
}
extension String: LogFieldValue {
  @inlinable @inline(__always)
  public func write(to writer: inout RecordWriter) { writer.value(self) }
}
extension Optional: LogFieldValue where Wrapped: LogFieldValue {
  @inlinable @inline(__always)
  public func write(to writer: inout RecordWriter) {
    if let self { self.write(to: &writer) } else { writer.null() }
  }
}

/// Values that are kept out of records.
@usableFromInline
enum Secrets {
  private struct Seed: @unchecked Sendable { let value = scs_fresh_seed() }
  private static let seed = Seed()
  static func prepare() { _ = seed }

  /// The same for the same text as long as this process lives, and telling nothing of it.
  @usableFromInline
  static func fingerprint(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { fingerprint(UnsafeRawBufferPointer($0)) }
  }

  @usableFromInline
  static func fingerprint(_ bits: UInt64) -> UInt64 { withUnsafeBytes(of: bits) { fingerprint($0) } }

  @usableFromInline
  static func fingerprint(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    scs_hash(seed.value, bytes.baseAddress, bytes.count)
  }
}
