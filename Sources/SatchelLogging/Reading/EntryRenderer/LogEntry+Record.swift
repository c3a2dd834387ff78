extension LogEntry {
  /// The record that it was: what the renderers of all formats take.
  var record: [UInt8] {
    var record = [UInt8](repeating: 0, count: RecordLayout.body)
    record[RecordLayout.severity] = severity.rawValue
    record[RecordLayout.kind] = kind.rawValue
    record.set(RecordLayout.pidTid, pid)
    record.set(RecordLayout.pidTid + 4, tid)
    record.set(RecordLayout.line, line)
    record.set(RecordLayout.number, number)
    for (place, byte) in thread.prefix(16).enumerated() { record[RecordLayout.threadName + place] = byte }
    if let file { record.add(.file, file) }
    if let function { record.add(.function, function) }
    if let category { record.add(.category, category) }
    record.addLong(.literal, message)
    for field in fields {
      record.add(.field, field.name)
      record.add(field.value)
    }
    let end = UInt32(record.count)
    while !record.count.isMultiple(of: 8) { record.append(0) }
    record.set(RecordLayout.size, UInt32(record.count))
    record.set(RecordLayout.end, end)
    return record
  }
}

extension [UInt8] {
  /// The count of a text has three bytes.
  private static let longestText = (1 << 24) - 1

  fileprivate mutating func set(_ offset: Int, _ value: UInt32) {
    Swift.withUnsafeBytes(of: value) { replaceSubrange(offset..<offset + 4, with: $0) }
  }

  fileprivate mutating func addLong(_ tag: Segment, _ text: [UInt8]) {
    var rest = text[...]
    repeat {
      add(tag, Array(rest.prefix(Self.longestText)))
      rest = rest.dropFirst(Self.longestText)
    } while !rest.isEmpty
  }

  fileprivate mutating func add(_ tag: Segment, _ text: [UInt8]) {
    let text = text.prefix(Self.longestText)
    Swift.withUnsafeBytes(of: UInt32(text.count) << 8 | UInt32(tag.rawValue)) { append(contentsOf: $0) }
    append(contentsOf: text)
  }

  private mutating func add(_ tag: Segment, word: UInt64) {
    append(tag.rawValue)
    Swift.withUnsafeBytes(of: word) { append(contentsOf: $0) }
  }

  fileprivate mutating func add(_ value: LogEntry.Value) {
    switch value {
    case .text(let bytes): add(.text, bytes)
    case .bytes(let bytes): add(.bytes, bytes)
    case .int(let number): add(.int, word: UInt64(bitPattern: number))
    case .uint(let number): add(.uint, word: number)
    case .double(let number): add(.double, word: number.bitPattern)
    case .bool(let truth): add(.bool, word: truth ? 1 : 0)
    case .pointer(let address): add(.pointer, word: address)
    case .time(let time): add(.time, word: UInt64(bitPattern: time))
    case .secret(let print): add(.secret, word: UInt64(print))
    case .null: add(.null, word: 0)
    }
  }
}
