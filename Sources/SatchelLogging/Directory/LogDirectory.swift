import CSatchelSystem
import Glibc
import SatchelCollections
import SatchelSystem
import Synchronization

/// The log of one app, as this process takes part in it: control file, locks, rings.
///
/// It is made once a process and lives as long: loggers, rings and the thread that drains point to it. What a forked child must
/// not inherit lies in memory that it finds zeroed (`ForkedState`), or is closed there.
package final class LogDirectory: @unchecked Sendable {
  package let app: String
  package let path: String
  let livePath: String
  /// What the names of its rings begin with; lives as long as the process.
  let ringPrefix: UnsafePointer<CChar>
  /// What the paths of its files begin with; as long.
  let filePrefix: UnsafePointer<CChar>
  /// Of its lock file; as long. No string, since a signal handler may need it, and the allocator be in the middle of something.
  let lockPath: UnsafePointer<CChar>
  let control: Control
  let forked: ForkedState
  let lockIdentity: scs_file_identity
  /// By which its files are named.
  let zone: ZoneRules
  /// A thread of this process stands by to lead. One-shot writers have none.
  let hasThread: Atomic<Bool>
  /// Secrets are looked for in text.
  let redacts = Atomic(true)
  let assertions = AssertionSetting()
  /// How long writers wait for room, by severity.
  let patienceOf: [Patience]

  /// The description that owns this process's slots. A descriptor, or -1 after a fork.
  let slotsDescriptor: Atomic<Int32>
  /// The one that leads: another description, since the locks of one do not exclude each other.
  let leaderDescriptor: Atomic<Int32>
  let loggersLock = Word.allocate()
  /// By category. Guarded by `loggersLock`.
  var loggers = OrderedDictionary<String, UnsafeMutablePointer<LoggerState>>()
  /// A descriptor may exist that is stored nowhere yet.
  let opening: Atomic<Int32>

  init(
    app: String, path: String, livePath: String, control: Control, forked: ForkedState, lock: Int32,
    identity: scs_file_identity
  ) {
    self.app = app
    self.path = path
    self.livePath = livePath
    ringPrefix = UnsafePointer(strdup(livePath + "/ring."))
    lockPath = UnsafePointer(strdup(livePath + "/lock"))
    filePrefix = UnsafePointer(strdup(path + "/" + app + "-"))
    self.control = control
    self.forked = forked
    lockIdentity = identity
    zone = control.zone
    hasThread = Atomic(false)
    patienceOf = Severity.allCases.map { _ in Patience() }
    slotsDescriptor = Atomic(lock)
    leaderDescriptor = Atomic(-1)
    opening = Atomic(0)
  }

  /// Bytes of the lock file.
  enum LockByte {
    static let leadership: Int64 = 0
    /// Held while the control file is made.
    static let making: Int64 = 1
    static func slot(_ slot: Int) -> Int64 { 16 + Int64(slot) }
  }

  /// Opens the lock file once more, to hold locks as long as the process lives. The mapping, not the descriptor, keeps them: a
  /// program that closes all descriptors loses nothing.
  func openLock() -> Int32 {
    opening.add(1, ordering: .sequentiallyConsistent)
    defer { opening.subtract(1, ordering: .sequentiallyConsistent) }
    let descriptor = LogDirectory.openLock(lockPath)
    if descriptor >= 0 { scs_hold_description(descriptor) }
    return descriptor
  }

  /// Holds the lock of a byte, by a description of its own, while `body` runs. Any number of threads may call it. nil where somebody
  /// else has it, and `waits` is false, or where it cannot be had.
  func holding<T>(_ byte: Int64, waits: Bool, _ body: () throws(SatchelError) -> T) throws(SatchelError) -> T? {
    // A child that is forked meanwhile closes what it has inherited of it: nobody shall hold a lock that he does not know of.
    opening.add(1, ordering: .sequentiallyConsistent)
    defer { opening.subtract(1, ordering: .sequentiallyConsistent) }
    let descriptor = LogDirectory.openLock(lockPath)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let error = waits ? scs_ofd_lock_waiting(descriptor, byte) : scs_ofd_lock(descriptor, byte, true)
    return error == 0 ? try body() : nil
  }

  static func openLock(_ path: UnsafePointer<CChar>) -> Int32 {
    scs_open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  /// The program may have closed our descriptors, and have files of its own under their numbers now.
  func isOurs(_ descriptor: Int32) -> Bool {
    var identity = scs_file_identity()
    return descriptor >= 0 && scs_identify(descriptor, nil, &identity) == 0 && identity.inode == lockIdentity.inode
      && identity.device == lockIdentity.device
  }
}

/// What a forked child finds zeroed: whether this process has joined in, which slots it has, its threads' views.
struct ForkedState {
  private let room: UnsafeMutableRawPointer

  private enum Place {
    static let joined = 0
    static let lock = 8
    static let leads = 16
    static let slots = 64
    static let views = 4096
  }
  private static let viewStride = MemoryLayout<scs_log_view>.stride

  /// nil where the kernel zeroes no memory in a child (before 4.14).
  init?() {
    guard let room = scs_wiped_room(Place.views + ControlLayout.rings * ForkedState.viewStride) else { return nil }
    self.room = room
  }

  var joined: Word { UnsafeRawPointer(room).word(at: Place.joined) }
  /// 1 while a thread of this process leads.
  var leads: Word { UnsafeRawPointer(room).word(at: Place.leads) }
  /// Guards the slots; 0, or the thread that holds it.
  var lock: Word { UnsafeRawPointer(room).word(at: Place.lock) }
  func view(_ slot: Int) -> UnsafeMutablePointer<scs_log_view> {
    (room + Place.views).assumingMemoryBound(to: scs_log_view.self) + slot
  }

  private func bits(_ slot: Int) -> Word { UnsafeRawPointer(room).word(at: Place.slots + slot / 64 * 8) }
  func has(_ slot: Int) -> Bool { bits(slot).pointee.load(ordering: .relaxed) >> UInt64(slot % 64) & 1 == 1 }
  func take(_ slot: Int) { bits(slot).pointee.bitwiseOr(1 << UInt64(slot % 64), ordering: .relaxed) }
  func give(_ slot: Int) { bits(slot).pointee.bitwiseAnd(~(1 << UInt64(slot % 64)), ordering: .relaxed) }

  /// Runs `body` while no other thread of this process claims or gives back a slot. Not where that cannot be had: in a signal
  /// handler, whose own thread may be in the middle of it, or after a second.
  ///
  /// It gives no result: for an optional one the runtime would look up a type, under locks that a forked child may inherit taken.
  func locked(_ body: () -> Void) { _ = ThreadLock.holding(lock, body) }
}
