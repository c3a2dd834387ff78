import CSatchelSystem
import Glibc
import Synchronization

/// A lock in memory that several processes map. The compare-and-swap that takes it names the owner, so that there is no
/// instant without a known one, and a dead one can be replaced.
public enum SharedLock {
  private static let sliceOfSleep: Int64 = 5_000_000

  /// nil when taken; else `.timeout`, or `.locked` when the owner cannot be judged from here.
  @inlinable @inline(__always)
  public static func acquire(_ lock: Word, _ deadline: inout Deadline, descriptor: Int32) -> SatchelError.Code? {
    attempt(lock) ? nil : wait(lock, Identity.mine, &deadline, descriptor)
  }

  /// Takes it if it is free.
  @inlinable @inline(__always)
  public static func attempt(_ lock: Word) -> Bool {
    lock.pointee.compareExchange(expected: 0, desired: Identity.mine, ordering: .sequentiallyConsistent).exchanged
  }

  @inline(never) @usableFromInline
  static func wait(
    _ lock: Word, _ me: UInt64, _ deadline: inout Deadline, _ descriptor: Int32
  ) -> SatchelError.Code? {
    var spins = 0
    var slept: UInt64 = 0
    var verdict = Identity.Verdict.alive
    var value = lock.pointee.load(ordering: .relaxed)
    while true {
      if value == 0 {
        // Whoever slept takes the lock with the waiters bit set: others may still sleep.
        if swap(lock, &value, me | slept) { return nil }
        continue
      }
      if spins < 100 {
        spins += 1
        scs_pause()
        value = lock.pointee.load(ordering: .relaxed)
        continue
      }
      if value & Identity.waiters == 0 {
        guard swap(lock, &value, value | Identity.waiters) else { continue }
        value |= Identity.waiters
      }
      // Whoever does not wait takes it from the dead all the same.
      let hasPassed = deadline.hasPassed
      var result = ETIMEDOUT
      if !hasPassed {
        // Every sleep is timed: a waiter that was handed the wake-up may be killed before it uses it.
        result = scs_futex_wait(lock, UInt32(truncatingIfNeeded: value), sliceOfSleep)
        slept = Identity.waiters
      }
      if result == ETIMEDOUT {
        verdict = Identity.judge(value, descriptor: descriptor)
        if verdict == .dead {
          if swap(lock, &value, me | Identity.waiters) { return nil }
          continue
        }
      }
      if hasPassed { return verdict == .unknown ? .locked : .timeout }
      value = lock.pointee.load(ordering: .relaxed)
    }
  }

  private static func swap(_ lock: Word, _ value: inout UInt64, _ desired: UInt64) -> Bool {
    let (done, seen) = lock.pointee.compareExchange(
      expected: value, desired: desired, ordering: .sequentiallyConsistent)
    if !done { value = seen }
    return done
  }

  public static func isMine(_ lock: Word) -> Bool {
    lock.pointee.load(ordering: .relaxed) & ~Identity.waiters == Identity.mine
  }

  @inlinable @inline(__always)
  public static func release(_ lock: Word) {
    let old = lock.pointee.exchange(0, ordering: .sequentiallyConsistent)
    if old & Identity.waiters != 0 { _ = scs_futex_wake(lock, 1) }
  }
}
