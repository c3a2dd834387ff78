import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// How a thread writes a record: begin, append, finish. In between the thread may log again, or be interrupted by a handler that
/// does: its view has no room while a record is open, so that the other one takes the slow path, and another ring.
public enum Producer {
  /// A view in which a record of `owner` can begin, its head written up to the segments; nil where the record is dropped, and
  /// counted.
  @inlinable @inline(__always)
  static func begin(_ owner: UnsafeMutableRawPointer, _ severity: Severity) -> UnsafeMutablePointer<scs_log_view>? {
    var view = scs_my_log_view().unsafelyUnwrapped
    if view.pointee.head >= view.pointee.limit || view.pointee.owner != owner {
      guard let other = enter(owner, severity) else { return nil }
      view = other
      // It lies in scratch, and so all is set.
      if view.pointee.record != nil { return view }
    }
    view.pointee.limit = 0
    let record = view.pointee.base.unsafelyUnwrapped + Int(view.pointee.head & view.pointee.mask)
    view.pointee.record = record
    view.pointee.stop = record + RecordLayout.longest
    view.pointee.cursor = record + RecordLayout.body
    return view
  }

  /// All of the record but its tick. Its size, a multiple of 8.
  @inlinable @inline(__always) @discardableResult
  static func complete(
    _ view: UnsafeMutablePointer<scs_log_view>, _ end: UnsafeMutableRawPointer, _ severity: Severity, _ category: UInt8,
    kind: UInt8, line: UInt32
  ) -> UInt64 {
    let record = UnsafeMutableRawPointer(view.pointee.record.unsafelyUnwrapped)
    let size = (UInt64(UInt(bitPattern: end - record)) &+ 7) & ~7
    let head = UInt64(severity.rawValue) << 32 | UInt64(kind) << 40 | UInt64(category) << 48
    record.storeBytes(of: size | head, as: UInt64.self)
    record.storeBytes(of: view.pointee.pid_tid, toByteOffset: RecordLayout.pidTid, as: UInt64.self)
    // And the mark, which is 0.
    record.storeBytes(of: UInt64(UInt(bitPattern: end - record)), toByteOffset: RecordLayout.end, as: UInt64.self)
    record.storeBytes(of: UInt64(line), toByteOffset: RecordLayout.line, as: UInt64.self)
    record.storeBytes(of: view.pointee.name.0, toByteOffset: RecordLayout.threadName, as: UInt64.self)
    record.storeBytes(of: view.pointee.name.1, toByteOffset: RecordLayout.threadName + 8, as: UInt64.self)
    return size
  }

  /// Completes the record and shows it to the leader. False where it is lost.
  @inlinable @inline(__always) @discardableResult
  static func finish(
    _ view: UnsafeMutablePointer<scs_log_view>, _ end: UnsafeMutableRawPointer, _ severity: Severity, _ category: UInt8,
    kind: UInt8 = 0, line: UInt32 = 0
  ) -> Bool {
    let size = complete(view, end, severity, category, kind: kind, line: line)
    let record = UnsafeMutableRawPointer(view.pointee.record.unsafelyUnwrapped)
    if view.pointee.unusual != 0 { return finishUnusual(view, size) }
    publish(view, record, size, scs_tick())
    return true
  }

  @inlinable @inline(__always)
  static func publish(
    _ view: UnsafeMutablePointer<scs_log_view>, _ record: UnsafeMutableRawPointer, _ size: UInt64, _ tick: UInt64
  ) {
    record.storeBytes(of: tick, toByteOffset: RecordLayout.tick, as: UInt64.self)
    let head = view.pointee.head &+ size
    view.pointee.head = head
    view.pointee.record = nil
    UnsafeRawPointer(view.pointee.shared.unsafelyUnwrapped).word(at: 0).pointee.store(head, ordering: .releasing)
    view.pointee.limit = view.pointee.room
    // The leader's membarrier is the other half.
    scs_compiler_barrier()
    if UnsafeRawPointer(view.pointee.sleep.unsafelyUnwrapped).halfWord(at: 0).pointee.load(ordering: .acquiring) & 3
      == 1
    {
      wakeLeader(view)
    }
  }

  @inline(never) @usableFromInline
  static func wakeLeader(_ view: UnsafeMutablePointer<scs_log_view>) {
    directory(of: view).control.wakeLeader(urgently: false)
  }

  static func directory(of view: UnsafeMutablePointer<scs_log_view>) -> LogDirectory {
    Unmanaged<LogDirectory>.fromOpaque(view.pointee.owner.unsafelyUnwrapped).takeUnretainedValue()
  }
}
