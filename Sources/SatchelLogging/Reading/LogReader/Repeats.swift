import CSatchelSystem
import Glibc
import SatchelSystem

/// Tells the second of two lines of the same record. Only what is marked as a repeat has such a twin.
struct Repeats {
  private struct Seen {
    var time: Int64
    var wasRepeat: Bool
  }
  /// By print.
  private var seen: [UInt64: Seen?] = [:]

  /// The two clocks that gave the times may differ by as much.
  static let tolerance: Int64 = 1_000_000

  mutating func expect(_ prints: [UInt64]) {
    for print in prints { seen.updateValue(nil, forKey: print) }
  }

  mutating func isKnown(_ line: LogLine) -> Bool {
    if seen.isEmpty { return false }
    guard let print = line.print, let before = seen[print] else { return false }
    let isRepeat = line.head.mark == .repeated
    if let before, before.wasRepeat != isRepeat, abs(line.time - before.time) <= Repeats.tolerance {
      seen.updateValue(nil, forKey: print)
      return true
    }
    seen.updateValue(Seen(time: line.time, wasRepeat: isRepeat), forKey: print)
    return false
  }
}

extension LogLine {
  /// The same for both lines of a record, in whatever formats they are.
  var print: UInt64? {
    guard let entry else { return nil }
    let start = UInt64(entry.pid) << 32 | UInt64(entry.tid)
    return entry.message.withUnsafeBytes { scs_hash(start ^ UInt64(entry.fields.count), $0.baseAddress, $0.count) }
  }

  /// Whether a line may have a mark: quick, and never no for one that has.
  static func mayBeMarked(_ text: UnsafeRawBufferPointer) -> Bool {
    switch FileFormat(startingAt: text) {
    case .text: text.count > TimeText.length && LineMark.marks.contains(text[TimeText.length])
    case .json: text.contains("\"mark\":")
    case .logfmt: text.contains(" mark=")
    }
  }
}

extension LineMark {
  fileprivate static let marks = allCases.filter { $0 != .normal }.map(\.symbol)
}
