import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// An urgent record, or one of a writer that has no ring, is in a file when the call returns.
struct Settling {
  let directory: LogDirectory
  let slot: Int
  /// Where its slot stands once the record is committed.
  let target: UInt64
  let record: UnsafeMutableRawPointer

  private var control: Control { directory.control }
  private var isCommitted: Bool { control.committedTail(slot) >= target }

  /// Waits for the leader, or leads itself for the moment where `leads`; when patience is at an end, takes the record out.
  func settle(patience: Int64, leads: Bool) -> Logger.Answer {
    control.urgent.pointee.add(1, ordering: .sequentiallyConsistent)
    control.wakeLeader(urgently: true)
    if waitForCommit(patience, leads) { return .logged }
    return takeOut()
  }

  private func waitForCommit(_ patience: Int64, _ leads: Bool) -> Bool {
    for _ in 0..<200 {
      if isCommitted { return true }
      scs_pause()
    }
    let end = scs_monotonic_ns() + patience
    var nextTry: Int64 = 0
    while !isCommitted {
      let now = scs_monotonic_ns()
      if now > end { return false }
      if leads, now >= nextTry {
        nextTry = now + 5_000_000
        if directory.leadBriefly(until: { isCommitted }) { return true }
      }
      control.commitSleep.sleepTogether(nanoseconds: 2_000_000) { isCommitted }
    }
    return true
  }

  /// First the mark, then the fence: a leader that is building a batch begins anew and sees the mark. A batch that is on its way
  /// without the record leaves it to the next one, which sees the mark. With the record: the file may have it already; if not (a
  /// leader frozen between its announcement and its write), the line is written here too, marked as a repeat.
  private func takeOut() -> Logger.Answer {
    let mark = UnsafeRawPointer(record).halfWord(at: RecordLayout.mark)
    guard
      mark.pointee.compareExchange(expected: Mark.none, desired: Mark.takenOut, ordering: .sequentiallyConsistent)
        .exchanged
    else { return .logged }
    while true {
      let state = control.state
      let tail = control.commit(state.sequence).tail(slot)
      scs_full_barrier()
      guard control.state.sequence == state.sequence else { continue }
      if tail >= target {
        return mark.pointee.load(ordering: .acquiring) == Mark.skipped ? writeDirect(.direct) : .logged
      }
      guard state.isWriting else {
        let fenced = control.word.pointee.compareExchange(
          expected: state.bits, desired: state.fenced.bits, ordering: .sequentiallyConsistent)
        if fenced.exchanged { return writeDirect(.direct) }
        continue
      }
      let announced = control.commit(state.sequence + 1)
      // A batch that comes to it but has skipped it is one without it.
      let isInBatch = announced.tail(slot) >= target && mark.pointee.load(ordering: .acquiring) != Mark.skipped
      let isThere = isInBatch && isInFile(announced)
      scs_full_barrier()
      guard control.state == state else { continue }
      if !isInBatch { return writeDirect(.direct) }
      return isThere ? .logged : writeDirect(.repeated)
    }
  }

  private func isInFile(_ announced: Commit) -> Bool {
    var present = scs_file_identity()
    let error = directory.withPath(of: announced.name, isDirect: false) { scs_identify(-1, $0, &present) }
    return error == 0 && present.isSame(as: announced.file)
      && present.size >= announced.fileStart &+ UInt64(clamping: announced.bytes)
  }

  /// Without room there either it comes back into the ring. A repeat comes anyway.
  private func writeDirect(_ mark: LineMark) -> Logger.Answer {
    control.count(mark == .repeated ? .repeats : .direct)
    if DirectFile.write(record, mark, directory) { return .logged }
    if mark == .repeated { return .queued }
    let word = UnsafeRawPointer(record).halfWord(at: RecordLayout.mark)
    let isBack = word.pointee.compareExchange(
      expected: Mark.takenOut, desired: Mark.none, ordering: .sequentiallyConsistent
    ).exchanged
    if isBack { return .queued }
    control.count(.dropped)
    return .lost
  }
}

extension LogDirectory {
  /// Leads, where nobody does, until `isDone` or nothing is left. True where it is done.
  func leadBriefly(until isDone: () -> Bool) -> Bool {
    let led = try? holding(LockByte.leadership, waits: false) { () throws(SatchelError) in lead(until: isDone) }
    return led ?? false
  }

  private func lead(until isDone: () -> Bool) -> Bool {
    var leader = Leader(self, temporary: true)
    guard leader.takeOver() else { return isDone() }
    while !isDone() {
      switch leader.drain(force: true) {
      case .wrote, .held: continue
      case .nothing, .stuck: return isDone()
      }
    }
    return true
  }
}
