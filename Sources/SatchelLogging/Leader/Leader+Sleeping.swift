import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension Leader {
  /// Leads until the process ends.
  mutating func lead() {
    directory.forked.leads.pointee.store(1, ordering: .releasing)
    while !takeOver() { usleep(20_000) }
    var idle = 0
    while true {
      switch drain(force: false) {
      case .wrote, .stuck: idle = 0
      case .held:
        idle = 0
        nap()
      case .nothing:
        idle += 1
        if idle < 8 { nap() } else { sleep() }
      }
    }
  }

  /// A millisecond, which only urgent records cut short: writers that log in a hurry pay no system call.
  private func nap() {
    control.leaderSleep.sleep(napping: true, nanoseconds: 1_000_000) {
      control.urgent.pointee.load(ordering: .acquiring) != seenUrgent
    }
  }

  /// Until the first record. The barrier makes sure that each writer either sees the sleeper or shows its head; without it the
  /// sleep is short.
  private func sleep() {
    control.leaderSleep.sleep(
      napping: false, nanoseconds: min(untilEndOfOverride(), hasBarrier ? 1_000_000_000 : 50_000_000)
    ) {
      _ = scs_barrier_for_all()
      return hasWork()
    }
  }
}

extension Leader {
  /// Sees to the end of severities that were set from outside for a time.
  private func untilEndOfOverride() -> Int64 {
    guard let end = control.nextEndOfOverride else { return .max }
    let now = scs_now_ns()
    if end <= now { control.endOverrides(now: now) }
    return max(end - now, 1_000_000)
  }
}

extension LogDirectory {
  /// Has a thread of this process stand by to lead. It never keeps a process from ending.
  func startThread() {
    hasThread.store(true, ordering: .relaxed)
    let error = scs_start_thread(
      { LogDirectory.standBy(Unmanaged<LogDirectory>.fromOpaque($0.unsafelyUnwrapped).takeUnretainedValue()) },
      Unmanaged.passUnretained(self).toOpaque())
    if error != 0 { hasThread.store(false, ordering: .relaxed) }
  }

  private static func standBy(_ directory: LogDirectory) {
    guard let descriptor = directory.descriptorToLead() else { return }
    // Sleeps until the leader dies or leaves.
    guard scs_ofd_lock_waiting(descriptor, LockByte.leadership) == 0 else { return }
    var leader = Leader(directory, temporary: false)
    leader.lead()
  }

  /// nil where the lock file cannot be opened.
  func descriptorToLead() -> Int32? {
    let known = leaderDescriptor.load(ordering: .relaxed)
    if known >= 0, isOurs(known) { return known }
    let fresh = openLock()
    leaderDescriptor.store(fresh, ordering: .relaxed)
    return fresh >= 0 ? fresh : nil
  }
}
