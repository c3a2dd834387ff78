/// A record that was read back from a file. Text is bytes: a program may have logged what is no UTF-8.
package struct LogEntry: Equatable, Sendable {
  /// Nanoseconds since 1970, and seconds east of UTC.
  package var time: Int64 = 0
  package var offset = 0
  package var mark = LineMark.normal
  package var severity = Severity.info
  package var kind = RecordKind.message
  /// Of a loss; 0 where there is none.
  package var number: UInt32 = 0
  package var pid: UInt32 = 0
  package var tid: UInt32 = 0
  package var thread: [UInt8] = []
  package var category: [UInt8]?
  package var file: [UInt8]?
  package var line: UInt32 = 0
  package var function: [UInt8]?
  package var message: [UInt8] = []
  package var fields: [Field] = []

  package init() {}

  package struct Field: Equatable, Sendable {
    package var name: [UInt8]
    package var value: Value

    package init(_ name: [UInt8], _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  package enum Value: Equatable, Sendable {
    case text([UInt8])
    case int(Int64)
    /// Beyond the largest `int`.
    case uint(UInt64)
    case double(Double)
    case bool(Bool)
    case bytes([UInt8])
    case pointer(UInt64)
    /// Nanoseconds since 1970.
    case time(Int64)
    /// By which equal ones can be told.
    case secret(UInt32)
    case null
  }
}
