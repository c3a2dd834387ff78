import TestSupport

@testable import SatchelLogging

/// Records of everything that is hard to write, and what is to be read back.
enum RandomRecord {
  struct Made {
    let record: RecordBuilder
    var expected: LogEntry
    /// What is UTF-8 is told for each part alone.
    let messageParts: [[UInt8]]
  }

  static func make(_ random: inout SeededGenerator) -> Made {
    var expected = LogEntry()
    expected.time = instant - instant % 1000
    expected.severity = Severity.allCases.randomElement(using: &random) ?? .info
    // The text of a dump has escapes of its own, and is given back as it stands.
    expected.kind = RecordKind.allCases.filter { $0 != .dump }.randomElement(using: &random) ?? .message
    expected.number = expected.kind == .message ? 0 : UInt32.random(in: 0...3, using: &random)
    (expected.pid, expected.tid) = (.random(in: 0 ... .max, using: &random), .random(in: 0 ... .max, using: &random))
    expected.thread = Array(text(&random).filter { $0 != 0 }.prefix(16))
    expected.line = UInt32.random(in: 0...2, using: &random)
    var record = RecordBuilder(
      expected.severity, kind: expected.kind, pid: expected.pid, tid: expected.tid, thread: expected.thread,
      line: expected.line, number: expected.number)
    var parts: [[UInt8]] = []
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      let before = expected.message.count
      addPart(&record, &expected, &random)
      parts.append(Array(expected.message[before...]))
    }
    return Made(record: record, expected: expected, messageParts: parts)
  }

  private static func addPart(
    _ record: inout RecordBuilder, _ expected: inout LogEntry, _ random: inout SeededGenerator
  ) {
    let text = text(&random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0:
      record.text(.literal, text)
      expected.message += text
    case 1:
      record.text(.text, text)
      expected.message += text
    case 2:
      let number = Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
      record.value(.int(number))
      expected.message += Array(String(number).utf8)
    case 3:
      let name = text.filter { $0 != UInt8(ascii: "/") }
      record.text(.file, name)
      expected.file = name.isEmpty ? nil : name
    case 4:
      record.text(.function, text)
      expected.function = text.isEmpty ? nil : text
    case 5:
      record.text(.category, text)
      expected.category = text.isEmpty ? nil : text
    default:
      let value = value(&random)
      record.text(.field, text)
      record.value(value)
      expected.fields.append(.init(text, value))
    }
  }

  /// No NaN, which equals nothing.
  static func value(_ random: inout SeededGenerator) -> LogEntry.Value {
    let bits = random.next() >> UInt64.random(in: 0..<64, using: &random)
    let double = Double(bitPattern: random.next())
    let values: [LogEntry.Value] = [
      .text(text(&random)), .int(Int64(bitPattern: bits)), .uint(.max - bits >> 1),
      .double(double.isNaN ? 0.1 : double),
      .double(Double(Int64(bitPattern: bits)) / 1000), .bool(bits & 1 == 1), .bytes(text(&random)), .pointer(bits),
      .time(Int64(bitPattern: random.next())), .secret(UInt32(truncatingIfNeeded: bits)), .null,
    ]
    return values.randomElement(using: &random) ?? .null
  }

  /// Awkward pieces, and random bytes between them.
  static func text(_ random: inout SeededGenerator) -> [UInt8] {
    let pieces = [
      "plain words of some length", "\n", "\t", "\\", "\"", "\\n", "\\x4", "\\u{4", "}", "=", " ", ": ", "]", "é", "👩‍👧",
      "\u{85}",
      "\u{202e}", "\u{1b}[0m", "\0", "-", "<", "a", "12", "nil", ":1", "    ", "{", ",",
    ]
    var text: [UInt8] = []
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      if Int.random(in: 0..<6, using: &random) == 0 {
        text.append(UInt8.random(in: 0...255, using: &random))
      } else {
        text += Array((pieces.randomElement(using: &random) ?? "").utf8)
      }
    }
    return text
  }
}
