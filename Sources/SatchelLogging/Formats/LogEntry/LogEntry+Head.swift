extension LogEntry {
  /// Takes what a format calls by name. nil for a name that is not known, false for a value that it cannot have.
  mutating func take(_ name: String, _ value: Value) -> Bool? {
    switch name {
    case "time":
      return take(value) {
        LogEntry.lineTime($0)
      } into: {
        ($0.time, $0.offset) = ($1.time, $1.offset)
      }
    case "level":
      return take(value) {
        Severity(name: String(decoding: $0, as: UTF8.self))
      } into: {
        $0.severity = $1
      }
    case "mark":
      return take(value) {
        LineMark(word: $0)
      } into: {
        $0.mark = $1
      }
    case "kind":
      return take(value) {
        RecordKind(word: $0)
      } into: {
        $0.kind = $1
      }
    case "thread":
      return take(value) {
        $0
      } into: {
        $0.thread = $1
      }
    case "category":
      return take(value) {
        $0
      } into: {
        $0.category = $1
      }
    case "file":
      return take(value) {
        $0
      } into: {
        $0.file = $1
      }
    case "function":
      return take(value) {
        $0
      } into: {
        $0.function = $1
      }
    case "msg", "message":
      return take(value) {
        $0
      } into: {
        $0.message = $1
      }
    case "pid": return take(value, into: \.pid)
    case "tid": return take(value, into: \.tid)
    case "line": return take(value, into: \.line)
    case "number": return take(value, into: \.number)
    default: return nil
    }
  }

  private mutating func take<Part>(
    _ value: Value, _ read: ([UInt8]) -> Part?, into set: (inout LogEntry, Part) -> Void
  ) -> Bool {
    guard case .text(let text) = value, let part = read(text) else { return false }
    set(&self, part)
    return true
  }

  private mutating func take(_ value: Value, into place: WritableKeyPath<LogEntry, UInt32>) -> Bool {
    guard case .int(let number) = value, let number = UInt32(exactly: number) else { return false }
    self[keyPath: place] = number
    return true
  }

  private static func lineTime(_ text: [UInt8]) -> (time: Int64, offset: Int)? {
    text.withUnsafeBytes {
      var scanner = ByteScanner($0)
      guard let time = scanner.lineTime(), scanner.isAtEnd else { return nil }
      return time
    }
  }
}
