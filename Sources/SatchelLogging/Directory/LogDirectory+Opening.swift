import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension LogDirectory {
  /// All that this process has opened. It only grows, and can be read at any moment, in a forked child too.
  private struct Registry: @unchecked Sendable {
    static let limit = 64
    let lock = Word.allocate()
    let count = Word.allocate()
    let directories = UnsafeMutablePointer<Unmanaged<LogDirectory>?>.allocate(capacity: limit)

    init() { directories.initialize(repeating: nil, count: Registry.limit) }
  }
  private static let registry = Registry()

  /// Called as the library is loaded, else when the first log is opened: what is made at its first use is guarded by a lock, which
  /// a child could inherit taken.
  package static func prepare() { _ = prepared }
  private static let prepared: Void = {
    _ = registry
    Console.prepare()
    // The first type that the runtime is asked for has it make its tables, once.
    scs_keep(unsafeBitCast(UnsafePointer<LoggerState>?.self as Any.Type, to: UnsafeRawPointer.self))
    scs_at_fork_child { LogDirectory.afterFork() }
  }()

  static var all: [LogDirectory] {
    (0..<Int(registry.count.pointee.load(ordering: .acquiring))).compactMap {
      registry.directories[$0]?.takeUnretainedValue()
    }
  }

  /// The log of `app` in the folder `path`, the same object for the same place. Makes what is missing, with mode 0700 and 0600.
  package static func open(app: String, path: String) throws(SatchelError) -> LogDirectory {
    prepare()
    ProcessLock.acquire(registry.lock)
    defer { ProcessLock.release(registry.lock) }
    if let known = all.last(where: { $0.app == app && $0.path == path }), known.isStillThere { return known }
    let count = Int(registry.count.pointee.load(ordering: .relaxed))
    guard count < Registry.limit else {
      throw SatchelError(.range, "a process can have \(Registry.limit) logs open", path: path)
    }
    let fresh = try make(app: app, path: path)
    registry.directories[count] = Unmanaged.passRetained(fresh)
    registry.count.pointee.store(UInt64(count + 1), ordering: .releasing)
    return fresh
  }

  /// Nobody has deleted the folder, or put another one in its place.
  var isStillThere: Bool {
    var identity = scs_file_identity()
    return scs_identify(-1, lockPath, &identity) == 0 && identity.inode == lockIdentity.inode
      && identity.birth == lockIdentity.birth
  }

  private static func make(app: String, path: String) throws(SatchelError) -> LogDirectory {
    Redactor.prepare()
    try Folders.checkHome(of: path)
    let live = path + "/." + app + ".live"
    try Folders.create(live)
    let lockPath = live + "/lock"
    let lock = openLock(lockPath)
    guard lock >= 0 else { throw SatchelError(errno: -lock, "cannot open the lock", path: lockPath) }
    scs_hold_description(lock)
    var identity = scs_file_identity()
    let error = scs_identify(lock, nil, &identity)
    guard error == 0 else { throw SatchelError(errno: error, "cannot look at", path: lockPath) }
    guard FileSystem.hasSharedMaps(lock) else {
      throw SatchelError(.unsupported, "rings need a local file system", path: live)
    }
    guard let forked = ForkedState() else {
      throw SatchelError(.unsupported, "this kernel zeroes no memory in a forked child")
    }
    let control = try Control.open(live + "/ctl", lock: lock)
    let directory = LogDirectory(
      app: app, path: path, livePath: live, control: control, forked: forked, lock: lock, identity: identity)
    _ = scs_join_barriers()
    forked.joined.pointee.store(1, ordering: .releasing)
    return directory
  }

  /// In a child: the leadership and the slots stay the parent's, as long as no copy of their descriptors lives here.
  private static func afterFork() {
    for index in 0..<Int(registry.count.pointee.load(ordering: .relaxed)) {
      registry.directories[index]?._withUnsafeGuaranteedRef { $0.leaveToParent() }
    }
  }

  private func leaveToParent() {
    if opening.exchange(0, ordering: .relaxed) != 0 { scs_close_all(lockIdentity.device, lockIdentity.inode) }
    closeIfOurs(slotsDescriptor.exchange(-1, ordering: .relaxed))
    closeIfOurs(leaderDescriptor.exchange(-1, ordering: .relaxed))
  }

  private func closeIfOurs(_ descriptor: Int32) {
    if isOurs(descriptor) { close(descriptor) }
  }

  /// A forked child joins in with descriptors, and a thread, of its own. Called under the lock of `forked`.
  func joinIfNeeded() {
    guard forked.joined.pointee.load(ordering: .acquiring) == 0 else { return }
    slotsDescriptor.store(openLock(), ordering: .relaxed)
    forked.joined.pointee.store(1, ordering: .releasing)
    if hasThread.load(ordering: .relaxed) { startThread() }
  }
}
