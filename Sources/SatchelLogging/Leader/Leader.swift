import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// Drains the rings of all processes into the file: one batch after the other, each merged by time, rendered into memory that all
/// share, announced in a commit slot, written, and committed by one store. Whoever leads next can finish a batch at any point.
///
/// Only the holder of the leadership has one, and uses it from one thread.
struct Leader: ~Copyable {
  let directory: LogDirectory
  let control: Control
  /// Gives the leadership back soon (at exit, for one record): it does not wait for room on a disk.
  let isTemporary: Bool
  let tails = UnsafeMutablePointer<UInt64>.allocate(capacity: ControlLayout.slots)
  let planned = UnsafeMutablePointer<UInt64>.allocate(capacity: ControlLayout.slots)
  let rings = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: ControlLayout.slots)
  let sources = UnsafeMutablePointer<Source>.allocate(capacity: ControlLayout.slots)
  var clock: TickClock
  var file: ActiveFile
  var renderer: FileRenderer
  /// Urgent records that have been drained.
  var seenUrgent: UInt64 = 0
  /// The tick of the newest record in a file.
  var newest: UInt64 = 0
  /// The time it was shown with.
  var lastTime: Int64 = .min
  /// Records of an earlier boot are drained first, by the clock of that boot.
  var isForEarlierBoot = false
  var owesRetention = true
  let recorder: FlightRecorder?
  /// By how much the clock was set, until a record says so.
  var step: Int64 = 0
  /// The kernel orders the memory of all processes for the leader (a filter of system calls may forbid it).
  let hasBarrier = scs_barrier_for_all() == 0

  /// Where the merge stands in one ring.
  struct Source {
    var slot: Int
    var position: UInt64
    var head: UInt64
    var tick: UInt64
  }

  enum Outcome {
    /// Nothing is there.
    case nothing
    /// What is there is younger than the hold-back.
    case held
    case wrote
    /// The disk has no room, and a temporary leader does not wait: the batch stays announced.
    case stuck
  }

  /// Records are held back that long, so that those of other threads can be put before them.
  static let holdBack: Int64 = 5_000_000

  init(_ directory: LogDirectory, temporary: Bool) {
    self.directory = directory
    control = directory.control
    isTemporary = temporary
    rings.initialize(repeating: nil, count: ControlLayout.slots)
    clock = TickClock(directory.control)
    file = ActiveFile(directory)
    renderer = FileRenderer(directory)
    recorder = FlightRecorder(directory)
  }

  deinit {
    for slot in 0..<ControlLayout.rings {
      if let ring = rings[slot] { LogDirectory.unmapRing(ring) }
    }
    recorder?.unmap()
    tails.deallocate()
    planned.deallocate()
    rings.deallocate()
    sources.deallocate()
  }

  /// The memory of a slot; nil where its ring has gone.
  mutating func memory(_ slot: Int) -> UnsafeMutableRawPointer? {
    if let known = rings[slot] { return known }
    rings[slot] = slot >= ControlLayout.rings ? control.cell(slot) : directory.mapRing(slot, creating: false)
    return rings[slot]
  }

  /// Commits what has been announced, or is gone: everybody sees it at once.
  mutating func commit(_ announced: CommitState) {
    // A full barrier: the next batch sees every mark that was made before.
    control.word.pointee.store(announced.committed.bits, ordering: .sequentiallyConsistent)
    control.count(.commits)
    control.commitSleep.wake(nappersToo: false)
  }

  func hasWork() -> Bool {
    let used = Int(control.ringCount.pointee.load(ordering: .acquiring))
    return (0..<used).contains { hasWork($0) }
      || (ControlLayout.rings..<ControlLayout.slots).contains { hasWork($0) }
  }
  private func hasWork(_ slot: Int) -> Bool {
    control.head(slot).pointee.load(ordering: .acquiring) != tails[slot]
  }
}
