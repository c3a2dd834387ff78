import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension LogDirectory {
  /// Now, in the ticks of records.
  var tick: UInt64 { usesTicks ? scs_tick() : UInt64(scs_monotonic_ns()) }
  var usesTicks: Bool { control.start.load(fromByteOffset: ControlLayout.clock, as: UInt32.self) == 1 }

  /// How long a writer waits for room in its ring.
  func patience(_ severity: Severity) -> Int64 {
    severity.isUrgent ? 30_000_000 : patienceOf[Int(severity.rawValue) - 1].value
  }

  /// Until what this process has written is in the file. False where that takes more than `patience`, as on a full disk.
  package func flush(patience: Int64 = 200_000_000) -> Bool {
    var deadline = Deadline(timeout: patience)
    _ = leadBriefly { false }
    while !isDrained {
      control.urgent.pointee.add(1, ordering: .sequentiallyConsistent)
      control.wakeLeader(urgently: true)
      if leadBriefly(until: { false }) { break }
      if deadline.hasPassed { return isDrained }
      control.commitSleep.sleepTogether(nanoseconds: 1_000_000) { isDrained }
    }
    return true
  }

  /// When the program ends: what is still in memory goes into the file, unless another process sees to it.
  static func drainAtExit() {
    for directory in all {
      let leads = directory.forked.leads.pointee.load(ordering: .acquiring) != 0
      if leads { _ = directory.flush() } else { _ = directory.leadBriefly { false } }
    }
  }

  private var isDrained: Bool {
    (0..<ControlLayout.slots).allSatisfy { slot in
      !forked.has(slot)
        || control.committedTail(slot) == control.head(slot).pointee.load(ordering: .acquiring)
    }
  }
}

/// A time in nanoseconds that any thread may change.
final class Patience: Sendable {
  private let nanoseconds = Atomic<Int64>(2_000_000_000)

  var value: Int64 {
    get { nanoseconds.load(ordering: .relaxed) }
    set { nanoseconds.store(newValue, ordering: .relaxed) }
  }
}
