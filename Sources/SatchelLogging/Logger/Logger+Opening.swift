import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension Logger {
  /// Opens the log of `app`: a name as of a domain.
  public init(app: String, category: String = "", options: LogOptions = LogOptions()) throws(SatchelError) {
    let place = try LogDirectory.open(app: app, options)
    if options.standsByToLead { place.standByToLead() }
    self = try place.logger(category, options)
  }

  /// The same log, whose records have a category. The first 63 of a log cost least.
  public func category(_ name: String) throws(SatchelError) -> Logger { try directory.logger(name, LogOptions()) }

  /// Waits until all that this process has logged is in the file; false where that takes too long, as on a full disk.
  @discardableResult
  public func flush(patience nanoseconds: Int64 = 1_000_000_000) -> Bool { directory.flush(patience: nanoseconds) }

  /// One record of a program that ends soon, without a thread and a ring. It is in a file when this returns.
  public static func post(
    app: String, options: LogOptions = LogOptions(), category: String = "", _ severity: Severity,
    bytes message: UnsafeRawBufferPointer, fields: (inout RecordWriter) -> Void = { _ in }
  ) throws(SatchelError) -> Answer {
    try LogDirectory.open(app: app, options).post(severity, category) { writer in
      writer.foreign(.literal, message)
      fields(&writer)
    }
  }

  var directory: LogDirectory {
    Unmanaged<LogDirectory>.fromOpaque(state.pointee.owner).takeUnretainedValue()
  }

  /// For the C interface: its `satchel_log` is what this points to.
  public func handle<Head>(as type: Head.Type) -> UnsafeMutablePointer<Head> {
    UnsafeMutableRawPointer(state).assumingMemoryBound(to: type)
  }
  @inlinable @inline(__always)
  public init(handle: UnsafeMutableRawPointer) { state = handle.assumingMemoryBound(to: LoggerState.self) }
}

extension LogDirectory {
  static func open(app: String, _ options: LogOptions) throws(SatchelError) -> LogDirectory {
    guard LogFileName.isApp(app) else {
      throw SatchelError(
        .invalid, "an app's name is 1 to \(LogFileName.longestApp) of A-Z a-z 0-9 . _ - and begins with no dot",
        domain: app)
    }
    let path = if let directory = options.directory { directory } else { try Folders.state() + "/logs/" + app }
    let place = try open(app: app, path: path)
    if !options.redacts { place.redacts.store(false, ordering: .relaxed) }
    if let format = options.format { place.configuration.format = format }
    if let size = options.maximumSize { place.configuration.maximumSize = size }
    if let days = options.retentionDays { place.configuration.retentionDays = days }
    return place
  }

  private static let atExit: Void = { _ = atexit { LogDirectory.drainAtExit() } }()

  /// From now on a thread of this process leads when nobody else does.
  func standByToLead() {
    _ = LogDirectory.atExit
    forked.locked {
      joinIfNeeded()
      if !hasThread.load(ordering: .relaxed) { startThread() }
    }
  }

  /// The one logger of a category, made at its first use.
  func logger(_ category: String, _ options: LogOptions = LogOptions()) throws(SatchelError) -> Logger {
    ProcessLock.acquire(loggersLock)
    defer { ProcessLock.release(loggersLock) }
    if let known = loggers[category] { return Logger(known) }
    let name = Array(category.utf8)
    let number = row(named: name)
    let long = number == 0 && !name.isEmpty ? LogDirectory.kept(name) : nil
    let room = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<LoggerState>.size, alignment: 64)
    let state = room.assumingMemoryBound(to: LoggerState.self)
    state.initialize(to: LoggerState(directory: self, category: UInt8(number), longCategory: long))
    state.pointee.choose(options, category: category)
    loggers[category] = state
    return Logger(state)
  }

  private func row(named name: [UInt8]) -> Int {
    if name.isEmpty { return 0 }
    return (try? holding(LockByte.making, waits: true) { () throws(SatchelError) in control.category(named: name) })
      ?? 0
  }

  private static func kept(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }
}
