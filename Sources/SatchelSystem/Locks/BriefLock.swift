import CSatchelSystem
import Glibc
import Synchronization

/// A lock between the threads of one process for what takes some nanoseconds. Giving it back is a plain store, which wakes
/// nobody: whoever finds it taken for longer, as by a thread that the kernel has put aside, sleeps a little and looks again.
///
/// As with `ProcessLock` the word names the process, so that a forked child takes over what it inherits taken.
public enum BriefLock {
  @inlinable @inline(__always)
  public static func acquire(_ lock: Word) {
    if !lock.pointee.compareExchange(expected: 0, desired: ProcessMark.mine, ordering: .acquiring).exchanged {
      wait(lock)
    }
  }

  @inline(never) @usableFromInline
  static func wait(_ lock: Word) {
    let me = ProcessMark.mine
    var looks = 0
    while true {
      let value = lock.pointee.load(ordering: .relaxed)
      if value != me, lock.pointee.compareExchange(expected: value, desired: me, ordering: .acquiring).exchanged {
        return
      }
      looks += 1
      if looks < 100 { scs_pause() } else { usleep(50) }
    }
  }

  @inlinable @inline(__always)
  public static func release(_ lock: Word) { lock.pointee.store(0, ordering: .releasing) }
}
