import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// [sequence:30][state:2], the futex word that sleepers sleep on. A state, not a count: sleepers get killed.
private enum SleepWord {
  static let nobody: UInt32 = 0
  static let asleep: UInt32 = 1
  static let waking: UInt32 = 2
}

extension UnsafeMutablePointer where Pointee == Store {
  /// Lock held, *before* the store that is to be noticed. A writer killed between its commit and its wake-up would leave
  /// sleepers asleep for ever; woken first, they find the lock held and wait for that, whatever becomes of its owner.
  func wakeSleepers(_ generation: GenerationPointer) {
    let word = generation.sleepWord
    var value = word.pointee.load(ordering: .sequentiallyConsistent)
    while value & 3 != SleepWord.nobody {
      let waking = (value & ~3) &+ 4 | SleepWord.waking
      let (changed, seen) = word.pointee.compareExchange(
        expected: value, desired: waking, ordering: .sequentiallyConsistent)
      guard changed else {
        value = seen
        continue
      }
      faultPoint("wake.marked")
      _ = scs_futex_wake(word, Int32.max)
      faultPoint("wake.woken")
      // Only from our own mark: killed earlier, the mark tells the next writer to wake again; a newer sleeper's stays.
      _ = word.pointee.compareExchange(expected: waking, desired: waking & ~3, ordering: .sequentiallyConsistent)
      return
    }
  }

  /// Sleeps until the revision is above `since`. `.timeout` when `timeout` nanoseconds (negative: never) have passed; `.busy`
  /// inside the thread's own transaction, where nobody else could write.
  package func wait(since: UInt64, timeout: Int64, revision: inout UInt64) -> SatchelError.Code? {
    let (deadline, overflow) = scs_monotonic_ns().addingReportingOverflow(timeout)
    let end = timeout < 0 || overflow ? Int64.max : deadline
    var pause: UInt32 = 1000
    while true {
      let generation = retainGeneration()
      defer { generation.release() }
      let committed = generation.committed
      if let code = self.revision(&revision) { return code }
      if revision > since { return nil }
      if locked(pointee.indexLock, { current.pointee.generation != generation }) { continue }
      let left = end == .max ? Int64.max : end - scs_monotonic_ns()
      if left <= 0 { return .timeout }
      if isInsideTransaction { return .busy }
      if mustPoll(generation) {
        usleep(min(pause, UInt32(clamping: left / 1000)))
        pause = min(pause * 2, 50_000)
      } else {
        sleep(generation, unless: committed, left)
      }
    }
  }

  /// Who may not write cannot say that it sleeps: it has to look.
  private func mustPoll(_ generation: GenerationPointer) -> Bool {
    generation.isPortable || !generation.pointee.isWritable || pointee.readOnlyReason != nil
  }

  private func sleep(_ generation: GenerationPointer, unless committed: UInt64, _ left: Int64) {
    let word = generation.sleepWord
    var mark = word.pointee.load(ordering: .sequentiallyConsistent)
    while mark & 3 != SleepWord.asleep {
      let desired = mark & ~3 | SleepWord.asleep
      let (changed, seen) = word.pointee.compareExchange(
        expected: mark, desired: desired, ordering: .sequentiallyConsistent)
      mark = changed ? desired : seen
    }
    // The lock first, the committed word after it. Free now: whoever takes it later finds our mark. Released before: what it
    // committed is visible below. The other order misses a whole write that fits between the two loads.
    let lock = generation.word(Header.lock)
    if lock.pointee.load(ordering: .sequentiallyConsistent) != 0 {
      // Somebody is about to commit, or died trying. Spin as long as a commit takes, then see that the lock moves.
      for _ in 0..<2000 where lock.pointee.load(ordering: .relaxed) != 0 { scs_pause() }
      if lock.pointee.load(ordering: .relaxed) != 0 { resolveWaiting(left) }
      return
    }
    let now = generation.word(Header.committed).pointee.load(ordering: .sequentiallyConsistent)
    if now & CommitWord.retired != 0 { return resolveWaiting(left) }
    // In slices: a file that another program puts under the name wakes nobody.
    if now == committed { _ = scs_futex_wait(word, mark, min(left, Store.sleepSlice)) }
  }

  private func resolveWaiting(_ left: Int64) {
    guard let code = resolve(timeout: min(left, Store.sleepSlice)), code != .timeout else { return }
    // Refused at once, and the next time too.
    usleep(min(5_000, UInt32(clamping: left / 1000)))
  }
}
