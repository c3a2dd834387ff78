import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension Producer {
  /// The record is complete but for its tick, and something about it is not as usual.
  @inline(never) @usableFromInline
  static func finishUnusual(_ view: UnsafeMutablePointer<scs_log_view>, _ size: UInt64) -> Bool {
    var isKept = true
    let unusual = view.pointee.unusual
    let record = UnsafeMutableRawPointer(view.pointee.record.unsafelyUnwrapped)
    let directory = directory(of: view)
    if unusual & Unusual.inScratch != 0 {
      record.storeBytes(of: directory.tick, toByteOffset: RecordLayout.tick, as: UInt64.self)
      isKept = isForRecorder(record) || DirectFile.write(record, .direct, directory)
      if !isKept { countLoss(view, directory) }
      Scratch.drop(view)
      view.pointee.record = nil
      view.pointee.limit = view.pointee.room
    } else {
      publish(view, record, size, directory.tick)
    }
    if unusual & Unusual.isNested != 0 { leave(view) }
    if unusual & Unusual.hasLost != 0 { tellLoss(view, directory) }
    return isKept
  }

  /// One that is too long for a ring is too long for the flight recorder.
  private static func isForRecorder(_ record: UnsafeMutableRawPointer) -> Bool {
    record.load(fromByteOffset: RecordLayout.kind, as: UInt8.self) & RecordLayout.forRecorder != 0
  }

  /// Back to the record around this one.
  static func leave(_ view: UnsafeMutablePointer<scs_log_view>) {
    view.pointee.unusual &= ~Unusual.isNested
    guard let outer = view.pointee.outer else { return }
    view.pointee.outer = nil
    scs_set_log_view(outer)
  }

  /// What a ring's writers had to drop is told by the first of them that finds room.
  private static func tellLoss(_ view: UnsafeMutablePointer<scs_log_view>, _ directory: LogDirectory) {
    view.pointee.unusual &= ~Unusual.hasLost
    let lost = directory.control.lost(Int(view.pointee.slot)).pointee.exchange(0, ordering: .relaxed)
    guard lost > 0 else { return }
    guard let view = begin(view.pointee.owner.unsafelyUnwrapped, .warning) else {
      directory.control.lost(Int(view.pointee.slot)).pointee.add(lost, ordering: .relaxed)
      return
    }
    var writer = RecordWriter(view)
    writer.literal(.literal, "the ring was full")
    writer.field("lost")
    writer.value(lost)
    finish(view, writer.at, .warning, 0, kind: RecordKind.loss.rawValue)
  }
}

extension Producer {
  /// The slow way to a view: the first record of a thread or of a forked child, another log than before, every eighth of a ring,
  /// a full ring, a record inside another one. What it cannot put into a ring it puts into scratch where it is urgent, and
  /// drops otherwise.
  @inline(never) @usableFromInline
  static func enter(_ owner: UnsafeMutableRawPointer, _ severity: Severity) -> UnsafeMutablePointer<scs_log_view>? {
    let directory = Unmanaged<LogDirectory>.fromOpaque(owner).takeUnretainedValue()
    let current = scs_my_log_view().unsafelyUnwrapped
    let outer = current.pointee.record != nil ? current : nil
    guard let view = Views.idle(of: directory, after: current) ?? Views.make(for: directory, beside: current) else {
      return nil
    }
    if let outer {
      view.pointee.outer = outer
      view.pointee.unusual |= Unusual.isNested
    }
    scs_set_log_view(view)
    if view.pointee.base != nil, view.pointee.head < view.pointee.limit || hasRoom(view, directory, severity) {
      return view
    }
    guard severity.isUrgent || view.pointee.base == nil, Scratch.begin(view) else {
      drop(view, directory)
      return nil
    }
    return view
  }

  private static func countLoss(_ view: UnsafeMutablePointer<scs_log_view>, _ directory: LogDirectory) {
    directory.control.count(.dropped)
    guard view.pointee.base != nil else { return }
    directory.control.lost(Int(view.pointee.slot)).pointee.add(1, ordering: .relaxed)
    view.pointee.unusual |= Unusual.hasLost
  }

  private static func drop(_ view: UnsafeMutablePointer<scs_log_view>, _ directory: LogDirectory) {
    countLoss(view, directory)
    if view.pointee.unusual & Unusual.isNested != 0 { leave(view) }
  }

  /// Looks for room, and waits for it as long as the severity is worth it. After a wait in vain nobody waits again before there
  /// has been room: a full disk must not make a program crawl.
  private static func hasRoom(
    _ view: UnsafeMutablePointer<scs_log_view>, _ directory: LogDirectory, _ severity: Severity
  ) -> Bool {
    let size = UInt64(ControlLayout.ringSize)
    let least = UInt64(RecordLayout.longest) + 64
    var deadline = Deadline(timeout: view.pointee.lost > 0 ? 0 : directory.patience(severity))
    while true {
      let tail = directory.control.tail(Int(view.pointee.slot)).pointee.load(ordering: .acquiring)
      let used = view.pointee.head &- tail
      if used > size / 2 {
        scs_full_barrier()
        directory.control.wakeLeader(urgently: true)
      }
      if size - used > least {
        view.pointee.room = view.pointee.head &+ min(size - used - least, size / 8)
        view.pointee.limit = view.pointee.room
        view.pointee.lost = 0
        return true
      }
      if deadline.hasPassed {
        view.pointee.lost += 1
        return false
      }
      usleep(100)
    }
  }
}
