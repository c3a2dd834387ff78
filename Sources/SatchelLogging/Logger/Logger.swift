import CSatchelSystem
import SatchelSystem
import Synchronization

/// Writes records into the log of an app. A copy costs nothing; any thread may use any copy at any time, after a fork too.
///
/// A call takes some tens of nanoseconds: the record goes into memory that outlives the process, and into the file within
/// milliseconds, by whichever process leads. An alert or a fatal record is in a file when the call returns. A call whose
/// severity is not enabled evaluates nothing.
public struct Logger: @unchecked Sendable {
  @usableFromInline let state: UnsafeMutablePointer<LoggerState>

  init(_ state: UnsafeMutablePointer<LoggerState>) { self.state = state }

  /// Whether a record of that severity would go anywhere. O(1), a nanosecond.
  @inlinable @inline(__always)
  public func isEnabled(_ severity: Severity) -> Bool { state.pointee.isEnabled(severity) }

  /// Writes a record.
  @inlinable @inline(__always)
  public func log(
    _ severity: Severity, _ message: @autoclosure () -> LogMessage, file: StaticString = #fileID,
    function: StaticString = #function, line: UInt32 = #line
  ) {
    guard state.pointee.isEnabled(severity) else { return }
    write(severity, message, file, function, line)
  }

  @inlinable @inline(__always)
  func write(
    _ severity: Severity, _ message: () -> LogMessage, _ file: StaticString, _ function: StaticString, _ line: UInt32,
    kind: UInt8 = 0
  ) {
    guard let view = Producer.begin(state.pointee.owner, severity) else { return }
    var site = RecordWriter(view)
    site.literal(.file, file)
    site.literal(.function, function)
    if state.pointee.longCategory != nil { site.resume(writeCategory(view, site.at)) }
    site.pause()
    let end = message().writer.at
    if severity.isUrgent || isSpecial(severity) {
      _ = finishLoudly(view, end, severity, line, kind)
    } else {
      Producer.finish(view, end, severity, state.pointee.category, kind: kind, line: line)
    }
  }

  @inlinable @inline(__always)
  func isSpecial(_ severity: Severity) -> Bool {
    state.pointee.special.load(ordering: .relaxed) >> UInt32(severity.rawValue) & 1 != 0
  }

  @inline(never) @usableFromInline
  func writeCategory(
    _ view: UnsafeMutablePointer<scs_log_view>, _ at: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var writer = RecordWriter(view, at: at)
    if let name = state.pointee.longCategory { writer.text(.category, name.baseAddress, name.count) }
    return writer.at
  }

  /// One that is shown on the console, kept for the flight recorder, or waited for.
  @inline(never) @usableFromInline
  func finishLoudly(
    _ view: UnsafeMutablePointer<scs_log_view>, _ end: UnsafeMutableRawPointer, _ severity: Severity, _ line: UInt32,
    _ kind: UInt8, leads: Bool = true
  ) -> Answer {
    let directory = Producer.directory(of: view)
    let record = UnsafeMutableRawPointer(view.pointee.record.unsafelyUnwrapped)
    let isInRing = view.pointee.unusual & Unusual.inScratch == 0
    let slot = Int(view.pointee.slot)
    let target = view.pointee.head &+ ((UInt64(end - record) &+ 7) & ~7)
    if state.pointee.console.load(ordering: .relaxed) & severity.mask.rawValue != 0 {
      Producer.complete(view, end, severity, state.pointee.category, kind: kind, line: line)
      Console.show(record, directory)
    }
    let kind = state.pointee.isOnlyRecorded(severity) ? kind | RecordLayout.forRecorder : kind
    guard Producer.finish(view, end, severity, state.pointee.category, kind: kind, line: line) else { return .lost }
    guard severity.isUrgent, isInRing else { return .logged }
    let settling = Settling(directory: directory, slot: slot, target: target, record: record)
    return settling.settle(patience: 30_000_000, leads: leads && !directory.hasThread.load(ordering: .relaxed))
  }
}
