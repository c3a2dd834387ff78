import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension Leader {
  /// Announces a batch, writes it, commits it.
  mutating func write(_ batch: Batch, _ state: CommitState) -> Outcome {
    let place = batch.day ?? file.place?.day ?? renderer.day(of: clock.now.wall)
    guard
      batch.bytes == 0
        || file.open(day: place, adding: batch.bytes, in: renderer.format, isTemporary: isTemporary)
    else {
      recorder?.cut(to: batch.recorded)
      return .stuck
    }
    announce(batch, state)
    faultPoint("log-announced")
    // From here on the batch will be written, by this leader or by whoever comes after it. It fails when a record was taken out.
    guard
      control.word.pointee.compareExchange(
        expected: state.bits, desired: state.writing.bits, ordering: .sequentiallyConsistent
      ).exchanged
    else {
      control.count(.fenced)
      recorder?.cut(to: batch.recorded)
      return .wrote
    }
    faultPoint("log-writing")
    guard append(from: 0, of: batch.bytes) else { return .stuck }
    faultPoint("log-written")
    commit(state.writing)
    faultPoint("log-committed")
    adopt(planned)
    newest = batch.newest
    if let told = batch.told { recorder?.setTold(told) }
    if !isForEarlierBoot { step = 0 }
    control.count(.lines, batch.lines)
    syncIfWanted()
    retireOldFiles()
    return .wrote
  }

  private func announce(_ batch: Batch, _ state: CommitState) {
    let slot = control.commit(state.sequence + 1)
    slot.file = file.identity
    slot.fileStart = file.identity.size
    slot.bytes = batch.bytes
    slot.newest = batch.newest
    if let place = file.place { slot.name = place }
    memcpy(slot.tails, planned, ControlLayout.slots * MemoryLayout<UInt64>.stride)
  }

  /// Appends the shared batch from a place on. On a full disk it waits, the batch being announced, so that a half line is always
  /// finished; a temporary leader does not, and leaves it to the next one. A file that was deleted meanwhile gets a successor.
  mutating func append(from first: Int, of count: Int) -> Bool {
    var done = first
    // A thread of the program, in which going beyond that limit raises a signal that kills. The one that stands by hears none.
    if isTemporary, !scs_within_file_limit(Int64(file.identity.size) + Int64(count)) { return false }
    while done < count {
      let written = Glibc.write(file.descriptor, control.batch + done, count - done)
      if written > 0 {
        done += written
      } else if errno != EINTR {
        control.count(.waitsForDisk)
        if isTemporary { return false }
        usleep(20_000)
        done = startOfLineIfCut(done, first)
      }
    }
    return count == 0 || file.isLinked || appendAnew(count)
  }

  /// Cut by somebody while half a line was written: that line begins anew, since its first half has gone with the copy.
  private func startOfLineIfCut(_ done: Int, _ first: Int) -> Int {
    guard done > first, let size = file.presentSize, size < file.identity.size + UInt64(done - first) else {
      return done
    }
    return startOfLine(done)
  }

  func startOfLine(_ position: Int) -> Int {
    let bytes = UnsafeRawPointer(control.batch).assumingMemoryBound(to: UInt8.self)
    var start = position
    while start > 0, bytes[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return start
  }

  private mutating func appendAnew(_ count: Int) -> Bool {
    guard let place = file.place,
      file.open(day: place.day, adding: 0, in: renderer.format, isTemporary: isTemporary)
    else { return false }
    return append(from: 0, of: count)
  }

  /// The tails that writers look at for room.
  func adopt(_ fresh: UnsafeMutablePointer<UInt64>) {
    for slot in 0..<ControlLayout.slots where tails[slot] != fresh[slot] {
      tails[slot] = fresh[slot]
      control.tail(slot).pointee.store(fresh[slot], ordering: .releasing)
    }
  }

  /// One fdatasync for all who wait for it.
  private mutating func syncIfWanted() {
    let present = control.state.sequence
    guard control.wantedOnDisk.pointee.load(ordering: .acquiring) > control.onDisk.pointee.load(ordering: .relaxed)
    else {
      return
    }
    guard fdatasync(file.descriptor) == 0 else { return }
    control.onDisk.pointee.store(present, ordering: .releasing)
    control.commitSleep.wake(nappersToo: false)
  }
}
