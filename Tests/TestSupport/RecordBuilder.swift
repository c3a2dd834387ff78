import SatchelLogging

/// A record as it lies in a ring, made by hand.
package struct RecordBuilder {
  private var head = [UInt8](repeating: 0, count: RecordLayout.body)
  private var segments: [UInt8] = []
  package var category = ""

  package init(
    _ severity: Severity = .notice, kind: RecordKind = .message, pid: UInt32 = 812, tid: UInt32 = 815,
    thread: [UInt8] = Array("main".utf8), line: UInt32 = 0, number: UInt32 = 0
  ) {
    head[RecordLayout.severity] = severity.rawValue
    head[RecordLayout.kind] = kind.rawValue
    set(RecordLayout.pidTid, pid)
    set(RecordLayout.pidTid + 4, tid)
    set(RecordLayout.line, line)
    set(RecordLayout.number, number)
    for (place, byte) in thread.prefix(16).enumerated() { head[RecordLayout.threadName + place] = byte }
  }

  private mutating func set(_ offset: Int, _ value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { for (place, byte) in $0.enumerated() { head[offset + place] = byte } }
  }

  package mutating func text(_ tag: Segment, _ bytes: some Collection<UInt8>) {
    let first = UInt32(bytes.count) << 8 | UInt32(tag.rawValue)
    withUnsafeBytes(of: first.littleEndian) { segments.append(contentsOf: $0) }
    segments.append(contentsOf: bytes)
  }

  package mutating func word(_ tag: Segment, _ word: UInt64) {
    segments.append(tag.rawValue)
    withUnsafeBytes(of: word.littleEndian) { segments.append(contentsOf: $0) }
  }

  package mutating func literal(_ text: String) { self.text(.literal, text.utf8) }
  package mutating func value(_ text: String) { self.text(.text, text.utf8) }

  package mutating func place(_ file: String, function: String? = nil) {
    text(.file, file.utf8)
    if let function { text(.function, function.utf8) }
  }

  package mutating func field(_ name: String, _ value: LogEntry.Value) {
    text(.field, name.utf8)
    self.value(value)
  }

  package mutating func value(_ value: LogEntry.Value) {
    switch value {
    case .text(let bytes): text(.text, bytes)
    case .int(let number): word(.int, UInt64(bitPattern: number))
    case .uint(let number): word(.uint, number)
    case .double(let number): word(.double, number.bitPattern)
    case .bool(let flag): word(.bool, flag ? 1 : 0)
    case .bytes(let bytes): text(.bytes, bytes)
    case .pointer(let address): word(.pointer, address)
    case .time(let time): word(.time, UInt64(bitPattern: time))
    case .secret(let print): word(.secret, UInt64(print) | 0x5555 << 32)
    case .null: word(.null, 0)
    }
  }

  package var record: [UInt8] {
    var record = head + segments
    let end = UInt32(record.count)
    while !record.count.isMultiple(of: 8) { record.append(0) }
    withUnsafeBytes(of: UInt32(record.count)) { record.replaceSubrange(0..<4, with: $0) }
    withUnsafeBytes(of: end) { record.replaceSubrange(RecordLayout.end..<RecordLayout.end + 4, with: $0) }
    return record
  }

  /// What `render` makes of it, which has to stay within the worst case.
  package func rendered(
    _ render: (RecordReader, UnsafeRawBufferPointer, UnsafeMutableRawPointer) -> UnsafeMutableRawPointer
  ) throws -> [UInt8] {
    try RecordBuilder.rendered(record, category: category, render)
  }

  package static func rendered(
    _ record: [UInt8], category: String = "",
    _ render: (RecordReader, UnsafeRawBufferPointer, UnsafeMutableRawPointer) -> UnsafeMutableRawPointer
  ) throws -> [UInt8] {
    let limit = TextRenderer.worstCase(record.count)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: limit, alignment: 8)
    defer { memory.deallocate() }
    return try record.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let reader = RecordReader(start, room: bytes.count) else {
        throw TestFailure.noRecord
      }
      let end = Array(category.utf8).withUnsafeBytes { render(reader, $0, memory) }
      guard end - memory <= limit else { throw TestFailure.tooLong }
      return Array(UnsafeRawBufferPointer(start: memory, count: end - memory))
    }
  }
}

package enum TestFailure: Error {
  case noRecord
  /// Than the worst case.
  case tooLong
}
