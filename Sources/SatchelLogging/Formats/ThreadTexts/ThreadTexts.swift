import Glibc

/// What a line says of the thread that wrote it, for those threads that wrote last: text that is the same in each of their lines.
struct ThreadTexts: ~Copyable {
  private static let rows = 64
  /// pid, tid and name; a count; the text.
  private static let textStart = 32
  private static let stride = 192
  private static let size = rows * stride
  private let memory: UnsafeMutableRawPointer

  init() {
    // Not allocated: a signal handler may be here, and the allocator in the middle of something.
    let room = mmap(nil, ThreadTexts.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let room, room != MAP_FAILED else { abort() }
    memory = room
  }

  deinit { munmap(memory, ThreadTexts.size) }

  /// `make` writes at most 160 bytes.
  @inline(__always)
  func write(_ record: RecordReader, _ out: inout LineWriter, make: (RecordReader, inout LineWriter) -> Void) {
    let row = memory + Int((record.tid &* 0x9e37_79b1) >> 26) * ThreadTexts.stride
    if !ThreadTexts.isOf(record, row) { fill(row, record, make) }
    out.copy(row + ThreadTexts.textStart, Int((row + 24).load(as: UInt64.self)))
  }

  @inline(__always)
  private static func isOf(_ record: RecordReader, _ row: UnsafeMutableRawPointer) -> Bool {
    let (key, name) = (record.start + RecordLayout.pidTid, record.start + RecordLayout.threadName)
    return (row + 24).load(as: UInt64.self) != 0
      && row.load(as: UInt64.self) == key.loadUnaligned(as: UInt64.self)
      && (row + 8).load(as: UInt64.self) == name.loadUnaligned(as: UInt64.self)
      && (row + 16).load(as: UInt64.self) == (name + 8).loadUnaligned(as: UInt64.self)
  }

  @inline(never)
  private func fill(
    _ row: UnsafeMutableRawPointer, _ record: RecordReader, _ make: (RecordReader, inout LineWriter) -> Void
  ) {
    memcpy(row, record.start + RecordLayout.pidTid, 8)
    memcpy(row + 8, record.start + RecordLayout.threadName, 16)
    var text = LineWriter(at: row + ThreadTexts.textStart)
    make(record, &text)
    (row + 24).storeBytes(of: UInt64(text.at - row - ThreadTexts.textStart), as: UInt64.self)
  }
}
