import CSatchelSystem
import Glibc
import Synchronization

/// Frees memory under readers that take no lock. A reader pays two plain stores; the rare reclaimer pays membarrier(2).
///
/// The asymmetric form of epoch-based reclamation (K. Fraser, "Practical lock-freedom", 2004).
public enum Epoch {
  private struct Clock: @unchecked Sendable { let now: Word }
  private static let clock = Clock(now: .allocate(1))

  /// Keep this pointer at hand: a `static let` costs a check at each use.
  public static var now: Word { clock.now }

  /// What a thread holds while it reads.
  public struct Pin {
    @usableFromInline let cell: UnsafeMutablePointer<scs_cell>
    @usableFromInline let entered: Bool

    /// A reader that is already inside (a signal handler, a nested call) keeps its older epoch: that protects more.
    @inlinable @inline(__always)
    public init(_ now: Word) {
      cell = scs_my_cell().unsafelyUnwrapped
      entered = cell.pointee.epoch == 0
      enter(now)
    }

    /// Again, after `leave`: what was looked at before may be gone.
    @inlinable @inline(__always)
    public func enter(_ now: Word) {
      if entered {
        Pin.epoch(cell).pointee.store(now.pointee.load(ordering: .acquiring), ordering: .relaxed)
        scs_reader_fence()
      }
    }

    @inlinable @inline(__always)
    public func leave() {
      if entered { Pin.epoch(cell).pointee.store(0, ordering: .releasing) }
    }

    /// True at every eighth call of a thread: for what is to be looked at now and then.
    @inlinable @inline(__always)
    public var isDueForLook: Bool {
      cell.pointee.ticks &+= 1
      return cell.pointee.ticks & 7 == 0
    }

    @inlinable @inline(__always)
    static func epoch(_ cell: UnsafeMutablePointer<scs_cell>) -> Word { UnsafeRawPointer(cell).word(at: 0) }
  }

  /// Call after unlinking. No reader is left of anything unlinked in an epoch before the returned one.
  public static func advance() -> UInt64 {
    now.pointee.add(1, ordering: .sequentiallyConsistent)
    if scs_is_alone() { scs_register_barrier() } else if scs_membarrier() != 0 { return withoutMembarrier() }
    return oldest(except: nil)
  }

  /// Readers fence from now on. Those inside at this moment may not have, so nothing is free before the second call.
  private static func withoutMembarrier() -> UInt64 {
    scs_need_fences() ? oldest(except: nil) : 0
  }

  private static func oldest(except own: UnsafeMutablePointer<scs_cell>?) -> UInt64 {
    var oldest = UInt64.max
    var next = scs_seat_list()
    while let seat = next {
      let cell = seat.pointee.cell.unsafelyUnwrapped
      let epoch = Pin.epoch(cell).pointee.load(ordering: .acquiring)
      if cell != own, epoch != 0, epoch < oldest { oldest = epoch }
      next = seat.pointee.next
    }
    return oldest
  }

  /// Returns when every other thread that was reading has left.
  public static func waitForReaders() {
    if scs_is_alone() { return }
    let own = scs_my_cell()
    let until = now.pointee.add(1, ordering: .sequentiallyConsistent).newValue
    // Where no barrier can be had, the time of some pauses makes what readers stored visible.
    let isFenced = scs_membarrier() == 0
    var pauses = 0
    while oldest(except: own) < until || (!isFenced && pauses < 100) {
      if pauses < 100 { scs_pause() } else { usleep(50) }
      pauses += 1
    }
  }
}
