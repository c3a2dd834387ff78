import CSatchelSystem
import Glibc
import Synchronization

/// A lock between threads that a signal handler never waits for on its own thread, and nobody for long. The word holds the thread,
/// or 0; it lies in memory that a forked child finds zeroed.
package enum ThreadLock {
  /// nil where `body` did not run: this thread holds the lock already, or another one has for a second.
  package static func holding<Result>(_ lock: Word, _ body: () -> Result) -> Result? {
    let me = UInt64(scs_thread_id())
    var looks = 0
    while !lock.pointee.compareExchange(expected: 0, desired: me, ordering: .acquiring).exchanged {
      looks += 1
      if lock.pointee.load(ordering: .relaxed) == me || looks > 20_000 { return nil }
      if looks < 50 { scs_pause() } else { usleep(50) }
    }
    defer { lock.pointee.store(0, ordering: .releasing) }
    return body()
  }
}
