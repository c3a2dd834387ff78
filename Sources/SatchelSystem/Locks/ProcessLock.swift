import CSatchelSystem
import Glibc
import Synchronization

/// A lock between the threads of one process. The word names the process, so a forked child that inherits it taken, by a
/// thread that does not exist there, simply takes it over; what it guards is kept such that stopping anywhere is harmless.
public enum ProcessLock {
  @inlinable @inline(__always)
  public static func acquire(_ lock: Word) {
    var never = Deadline.never
    _ = acquire(lock, &never)
  }

  /// False when the deadline has passed.
  @inlinable @inline(__always)
  public static func acquire(_ lock: Word, _ deadline: inout Deadline) -> Bool {
    let me = ProcessMark.mine
    if lock.pointee.compareExchange(expected: 0, desired: me, ordering: .acquiring).exchanged { return true }
    return wait(lock, me, &deadline)
  }

  @inline(never) @usableFromInline
  static func wait(_ lock: Word, _ me: UInt64, _ deadline: inout Deadline) -> Bool {
    var spins = 0
    var slept: UInt64 = 0
    var value = lock.pointee.load(ordering: .relaxed)
    while true {
      if value & ~Identity.waiters != me {
        let (won, seen) = lock.pointee.compareExchange(expected: value, desired: me | slept, ordering: .acquiring)
        if won { return true }
        value = seen
        continue
      }
      if spins < 100 {
        spins += 1
        scs_pause()
        value = lock.pointee.load(ordering: .relaxed)
        continue
      }
      if deadline.hasPassed { return false }
      if value & Identity.waiters == 0 {
        let (set, seen) = lock.pointee.compareExchange(
          expected: value, desired: value | Identity.waiters, ordering: .relaxed)
        guard set else {
          value = seen
          continue
        }
        value |= Identity.waiters
      }
      _ = scs_futex_wait(lock, UInt32(truncatingIfNeeded: value), 50_000_000)
      slept = Identity.waiters
      value = lock.pointee.load(ordering: .relaxed)
    }
  }

  public static func isMine(_ lock: Word) -> Bool {
    lock.pointee.load(ordering: .relaxed) & ~Identity.waiters == ProcessMark.mine
  }

  @inlinable @inline(__always)
  public static func release(_ lock: Word) {
    if lock.pointee.exchange(0, ordering: .releasing) & Identity.waiters != 0 { _ = scs_futex_wake(lock, 1) }
  }
}
