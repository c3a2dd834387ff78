import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// The views of a thread: one for each log it writes to, and one more for records inside records. They are linked in a circle, of
/// which the thread knows the one that it used last.
enum Views {
  typealias View = UnsafeMutablePointer<scs_log_view>

  /// One of this thread's in which no record is open.
  static func idle(of directory: LogDirectory, after current: View) -> View? {
    let owner = Unmanaged.passUnretained(directory).toOpaque()
    var next: View? = current
    // A forked child finds the circle of its parent cut: the views are zeroed.
    for _ in 0..<64 {
      guard let view = next else { return nil }
      if view.pointee.owner == owner, view.pointee.record == nil, isOfThisProcess(view) { return view }
      next = view.pointee.next
      if next == current { return nil }
    }
    return nil
  }

  /// One without a ring lies in ordinary memory, which a child inherits.
  private static func isOfThisProcess(_ view: View) -> Bool {
    view.pointee.base != nil || UInt32(truncatingIfNeeded: view.pointee.pid_tid) == UInt32(bitPattern: getpid())
  }

  /// With a ring where one can be had. Without, what is written to it goes straight into the direct file.
  static func make(for directory: LogDirectory, beside current: View) -> View? {
    var claimed: View?
    directory.forked.locked { claimed = claimRing(directory) }
    guard let view = claimed ?? withoutRing(directory) else { return nil }
    let isFirst = current == scs_no_log_view()
    link(view, beside: current)
    // The circle is what a thread ends with, whichever of its views it begins at.
    if isFirst || current.pointee.owner == nil { scs_at_thread_end({ Views.endThread($0) }, view) }
    return view
  }

  private static func claimRing(_ directory: LogDirectory) -> View? {
    guard let slot = directory.claim(0..<ControlLayout.rings) else { return nil }
    guard let ring = directory.mapRing(slot, creating: true) else {
      directory.giveBack(slot)
      return nil
    }
    let control = directory.control
    let view = directory.forked.view(slot)
    prepare(view, directory)
    view.pointee.base = ring.assumingMemoryBound(to: UInt8.self)
    view.pointee.mask = UInt64(ControlLayout.ringSize - 1)
    view.pointee.slot = UInt64(slot)
    view.pointee.shared = UnsafeMutableRawPointer(control.head(slot)).assumingMemoryBound(to: UInt64.self)
    view.pointee.head = control.head(slot).pointee.load(ordering: .acquiring)
    view.pointee.sleep = UnsafeMutableRawPointer(control.leaderSleep.word).assumingMemoryBound(to: UInt32.self)
    if control.lost(slot).pointee.load(ordering: .relaxed) > 0 { view.pointee.unusual |= Unusual.hasLost }
    if !directory.usesTicks { view.pointee.unusual |= Unusual.usesClock }
    let wanted = UInt64(slot + 1)
    control.ringCount.pointee.max(wanted, ordering: .sequentiallyConsistent)
    return view
  }

  private static func prepare(_ view: View, _ directory: LogDirectory) {
    view.pointee = scs_log_view()
    view.pointee.owner = Unmanaged.passUnretained(directory).toOpaque()
    view.pointee.redacts = directory.redacts.load(ordering: .relaxed) ? 1 : 0
    view.pointee.pid_tid = UInt64(UInt32(bitPattern: getpid())) | UInt64(scs_thread_id()) << 32
    withUnsafeMutableBytes(of: &view.pointee.name) {
      scs_thread_name($0.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
    }
  }

  /// Its records lie in scratch, always.
  static func withoutRing(_ directory: LogDirectory) -> View? {
    let room = mmap(nil, roomOfView, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let room, room != MAP_FAILED else { return nil }
    let view = room.assumingMemoryBound(to: scs_log_view.self)
    prepare(view, directory)
    return view
  }

  static func free(_ view: View) {
    Scratch.drop(view)
    munmap(view, roomOfView)
  }

  private static let roomOfView = 4096

  private static func link(_ view: View, beside current: View) {
    guard current != scs_no_log_view(), current.pointee.owner != nil else {
      view.pointee.next = view
      return
    }
    view.pointee.next = current.pointee.next ?? current
    current.pointee.next = view
  }

  /// The slots of a thread that ends are given back; what it has written is drained all the same.
  private static func endThread(_ last: UnsafeMutableRawPointer?) {
    guard let first = last?.assumingMemoryBound(to: scs_log_view.self) else { return }
    scs_set_log_view(scs_no_log_view())
    var view = first
    repeat {
      let next = view.pointee.next
      retire(view)
      guard let next, next != first else { return }
      view = next
    } while true
  }

  private static func retire(_ view: View) {
    // Zeroed by a fork: it was the parent's.
    guard view.pointee.owner != nil else { return }
    let directory = Producer.directory(of: view)
    guard let base = view.pointee.base else {
      if isOfThisProcess(view) { free(view) }
      return
    }
    let slot = Int(view.pointee.slot)
    view.pointee = scs_log_view()
    LogDirectory.unmapRing(base)
    directory.forked.locked { directory.giveBack(slot) }
  }
}
