import CSatchelSystem
import Glibc
import SatchelSystem

/// Records as lines of a log's files: in its format, by the clocks of its zone, with the names of its categories.
struct FileRenderer: ~Copyable {
  private let control: Control
  private let zone: ZoneRules
  /// The day that was asked for last, and the offset that was: each with the nanoseconds for which it holds.
  private var day: Int32 = 0
  private var dayTimes: Range<Int64> = 0..<0
  private var offset = 0
  private var offsetTimes: Range<Int64> = 0..<0
  private var text = TextRenderer()
  private var json = JSONRenderer()
  private var logfmt = LogfmtRenderer()
  let format: FileFormat

  init(_ directory: LogDirectory, format: FileFormat? = nil) {
    control = directory.control
    zone = directory.zone
    self.format = format ?? directory.configuration.format
  }

  /// No line of a record of that size is longer.
  static func worstCase(_ recordSize: Int) -> Int { TextRenderer.worstCase(recordSize) }

  /// The day that the clocks of the log's zone show, in days since 1970.
  @inline(__always)
  mutating func day(of time: Int64) -> Int32 {
    if !dayTimes.contains(time) { turnDay(time) }
    return day
  }

  @inline(never)
  private mutating func turnDay(_ time: Int64) {
    let today = zone.day(at: time.floored(by: 1_000_000_000).quotient)
    day = Int32(today.date.daysSince1970)
    dayTimes = FileRenderer.nanoseconds(today.from, today.until)
  }

  @inline(never)
  private mutating func turnOffset(_ time: Int64) {
    let span = zone.span(at: time.floored(by: 1_000_000_000).quotient)
    offset = span.offset
    offsetTimes = FileRenderer.nanoseconds(span.from, span.until)
  }

  private static func nanoseconds(_ from: Int64, _ until: Int64) -> Range<Int64> {
    let most = Int64.max / 1_000_000_000
    return max(from, -most) * 1_000_000_000..<min(until, most) * 1_000_000_000
  }

  /// Writes the line of a record, and gives its end.
  mutating func line(
    _ record: RecordReader, _ time: Int64, _ mark: LineMark, _ out: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    if !offsetTimes.contains(time) { turnOffset(time) }
    let category = control.categoryName(record.category)
    return switch format {
    case .text: text.render(record, time: time, offset: offset, mark: mark, category: category, into: out)
    case .json: json.render(record, time: time, offset: offset, mark: mark, category: category, into: out)
    case .logfmt: logfmt.render(record, time: time, offset: offset, mark: mark, category: category, into: out)
    }
  }

  /// A line that tells that the clock of the machine was set.
  mutating func clockStep(
    _ nanoseconds: Int64, _ clock: TickClock, _ out: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { room in
      guard let start = room.baseAddress else { return out }
      memset(start, 0, RecordLayout.body)
      var writer = RecordWriter(at: start + RecordLayout.body, stop: start + 504)
      writer.literal(.literal, "the clock was set")
      writer.literal(.field, "seconds")
      writer.word(.double, (Double(nanoseconds) / 1e9).bitPattern)
      RecordLayout.close(start, writer.at, .notice, .clockStep, clock.now.tick)
      guard let record = RecordReader(start, room: 512) else { return out }
      return line(record, clock.now.wall, .normal, out)
    }
  }
}

extension RecordLayout {
  /// The head of a record of this process that lies in no ring.
  static func close(
    _ start: UnsafeMutableRawPointer, _ end: UnsafeMutableRawPointer, _ severity: Severity, _ kind: RecordKind,
    _ tick: UInt64
  ) {
    let used = end - start
    start.storeBytes(of: UInt32((used + 7) & ~7), toByteOffset: size, as: UInt32.self)
    start.storeBytes(of: severity.rawValue, toByteOffset: RecordLayout.severity, as: UInt8.self)
    start.storeBytes(of: kind.rawValue, toByteOffset: RecordLayout.kind, as: UInt8.self)
    start.storeBytes(of: tick, toByteOffset: RecordLayout.tick, as: UInt64.self)
    start.storeBytes(of: UInt32(bitPattern: getpid()), toByteOffset: pidTid, as: UInt32.self)
    start.storeBytes(of: scs_thread_id(), toByteOffset: pidTid + 4, as: UInt32.self)
    start.storeBytes(of: UInt32(used), toByteOffset: RecordLayout.end, as: UInt32.self)
  }
}
