import Glibc
import SatchelSystem

/// Which lines are wanted. What is not said holds for all; a line that is no record is wanted where only times and words are asked
/// for.
package struct LogFilter {
  package var severities = SeverityMask.all
  /// Nanoseconds since 1970.
  package var since: Int64?
  package var until: Int64?
  package var categories: [[UInt8]] = []
  package var pids: [UInt32] = []
  /// Each has to be there.
  package var fields: [LogEntry.Field] = []
  package var pattern: LinePattern?

  package init() {}

  package func accepts(_ line: LogLine) -> Bool {
    if let since, line.time < since { return false }
    if let until, line.time >= until { return false }
    if line.format == nil {
      guard severities == .all, categories.isEmpty, pids.isEmpty, fields.isEmpty else { return false }
    } else {
      guard severities.contains(line.head.severity.mask) else { return false }
      guard pids.isEmpty || pids.contains(line.head.pid) else { return false }
    }
    return acceptsText(of: line)
  }

  private func acceptsText(of line: LogLine) -> Bool {
    if !categories.isEmpty || !fields.isEmpty {
      guard let entry = line.entry else { return false }
      guard categories.isEmpty || categories.contains(entry.category ?? []) else { return false }
      guard fields.allSatisfy({ wanted in entry.fields.contains { $0.isMatched(by: wanted) } }) else { return false }
    }
    return pattern?.matches(line) ?? true
  }
}

extension LogEntry.Field {
  /// As it is typed: a value that looks like a number is also the text that looks so.
  package init(name: String, typed value: String) {
    self.init(Array(name.utf8), .text(Array(value.utf8)))
  }

  fileprivate func isMatched(by wanted: LogEntry.Field) -> Bool {
    guard name == wanted.name else { return false }
    if value == wanted.value { return true }
    guard case .text(let text) = wanted.value else { return false }
    return text.withUnsafeBytes { value == LogEntry.Value(word: $0) }
  }
}
