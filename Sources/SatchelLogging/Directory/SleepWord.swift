import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// Where processes sleep and are woken: count << 2 | state in one word, never a count of sleepers (a killed one would be counted
/// for ever) and never a bare flag (clearing it would wipe out the mark of a newer sleeper).
struct SleepWord {
  let word: HalfWord

  private enum State {
    static let awake: UInt32 = 0
    static let asleep: UInt32 = 1
    static let beingWoken: UInt32 = 2
    /// Only what is urgent wakes it.
    static let napping: UInt32 = 3
  }

  private static func next(_ value: UInt32, _ state: UInt32) -> UInt32 { ((value &+ 4) & ~3) | state }

  /// A system call only where somebody sleeps.
  @inline(__always)
  func wake(nappersToo: Bool) {
    let value = word.pointee.load(ordering: .acquiring)
    if value & 3 == State.asleep || (nappersToo && value & 3 == State.napping) { wake(value) }
  }

  private func wake(_ value: UInt32) {
    let waking = SleepWord.next(value, State.beingWoken)
    guard word.pointee.compareExchange(expected: value, desired: waking, ordering: .sequentiallyConsistent).exchanged
    else { return }
    _ = scs_futex_wake(word, Int32.max)
    _ = word.pointee.compareExchange(
      expected: waking, desired: waking & ~3, ordering: .sequentiallyConsistent)
  }

  /// For the one thread that leads. `look` says, after the word tells that it sleeps, whether there is something to do.
  func sleep(napping: Bool, nanoseconds: Int64, unless look: () -> Bool) {
    let mine = SleepWord.next(word.pointee.load(ordering: .relaxed), napping ? State.napping : State.asleep)
    word.pointee.store(mine, ordering: .sequentiallyConsistent)
    if !look() { _ = scs_futex_wait(word, mine, nanoseconds) }
    word.pointee.store(SleepWord.next(mine, State.awake), ordering: .sequentiallyConsistent)
  }

  /// For any number of threads, which share one mark. The wait is timed: the one who would wake them may be dead.
  func sleepTogether(nanoseconds: Int64, unless look: () -> Bool) {
    let value = word.pointee.load(ordering: .relaxed)
    var mine = value
    if value & 3 != State.asleep {
      mine = SleepWord.next(value, State.asleep)
      guard word.pointee.compareExchange(expected: value, desired: mine, ordering: .sequentiallyConsistent).exchanged
      else { return }
    }
    if !look() { _ = scs_futex_wait(word, mine, nanoseconds) }
  }
}
