import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension Logger {
  /// Opens the log of `app`: a name as of a domain. `directory`: the folder of its files; nil: `$XDG_STATE_HOME/satchel/logs/<app>`.
  public init(app: String, category: String = "", directory: String? = nil) throws(SatchelError) {
    let path = if let directory { directory } else { try Folders.state() + "/logs/" + app }
    let place = try LogDirectory.open(app: app, path: path)
    place.standByToLead()
    self = try place.logger(category)
  }
}

extension LogDirectory {
  /// From now on a thread of this process leads when nobody else does.
  func standByToLead() {
    _ = forked.locked {
      joinIfNeeded()
      if !hasThread.load(ordering: .relaxed) { startThread() }
    }
  }

  func logger(_ category: String) throws(SatchelError) -> Logger {
    let name = Array(category.utf8)
    ProcessLock.acquire(loggersLock)
    defer { ProcessLock.release(loggersLock) }
    if let known = loggers[category] { return Logger(known) }
    let row = scs_ofd_lock_waiting(slotsDescriptor.load(ordering: .relaxed), LockByte.making) == 0
    defer { if row { _ = scs_ofd_unlock(slotsDescriptor.load(ordering: .relaxed), LockByte.making) } }
    let number = control.category(named: name)
    let long = number == 0 && !name.isEmpty ? LogDirectory.kept(name) : nil
    let state = UnsafeMutablePointer<LoggerState>.allocate(capacity: 1)
    state.initialize(to: LoggerState(directory: self, category: UInt8(number), longCategory: long))
    loggers[category] = state
    return Logger(state)
  }

  private static func kept(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }
}

extension Logger {
  /// Waits until all that this process has logged is in the file; false where that takes too long, as on a full disk.
  @discardableResult
  public func flush(patience nanoseconds: Int64 = 1_000_000_000) -> Bool {
    Unmanaged<LogDirectory>.fromOpaque(state.pointee.owner).takeUnretainedValue().flush(patience: nanoseconds)
  }
}
