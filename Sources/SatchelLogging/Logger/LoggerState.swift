import CSatchelSystem
import SatchelSystem
import Synchronization

/// What a logger needs at each call, in memory that is never freed: one for each category of a log in this process. It begins with
/// what C code reads inline, and which therefore stays: see `satchel/log.h`.
public struct LoggerState: ~Copyable {
  /// A mask for all processes, set from outside: valid where its bit 31 is set.
  @usableFromInline let override: HalfWord
  /// What this process itself wants logged, by whichever way.
  @usableFromInline let wanted: Atomic<UInt32>
  /// Of that, what is shown on the console.
  @usableFromInline let console: Atomic<UInt32>
  /// What only the flight recorder keeps.
  @usableFromInline let recorded: Atomic<UInt32>
  /// What takes the slow path for one of these reasons.
  @usableFromInline let special: Atomic<UInt32>
  @usableFromInline let owner: UnsafeMutableRawPointer
  /// A row of the log's table; 0 where it is the whole log, or has no row.
  @usableFromInline let category: UInt8
  /// The name of a category without a row.
  @usableFromInline let longCategory: UnsafeRawBufferPointer?

  init(directory: LogDirectory, category: UInt8, longCategory: UnsafeRawBufferPointer?) {
    override = directory.control.override(Int(category))
    wanted = Atomic(SeverityMask.from(.info).rawValue)
    console = Atomic(0)
    recorded = Atomic(0)
    special = Atomic(0)
    owner = Unmanaged.passUnretained(directory).toOpaque()
    self.category = category
    self.longCategory = longCategory
  }

  /// What this process wants: what the environment says, else its options.
  func choose(_ options: LogOptions, category name: String) {
    let level = LogEnvironment.directives().mask(for: name) ?? .from(options.level ?? .info)
    let shown = options.showsOnConsole ? SeverityMask.from(options.console ?? .notice) : []
    let console = shown.intersection(level)
    let recorded = options.recorder.map { SeverityMask.from($0).subtracting(level) } ?? []
    wanted.store(level.union(recorded).rawValue, ordering: .relaxed)
    self.console.store(console.rawValue, ordering: .relaxed)
    self.recorded.store(recorded.rawValue, ordering: .relaxed)
    special.store(console.union(recorded).rawValue, ordering: .relaxed)
  }

  /// Whether a record is kept for the flight recorder only. What is asked for from outside goes into the file.
  func isOnlyRecorded(_ severity: Severity) -> Bool {
    let bit = severity.mask.rawValue
    return recorded.load(ordering: .relaxed) & bit != 0 && override.pointee.load(ordering: .relaxed) & bit == 0
  }

  @inlinable @inline(__always)
  func isEnabled(_ severity: Severity) -> Bool {
    let outside = override.pointee.load(ordering: .relaxed)
    let mask = outside != 0 ? outside : wanted.load(ordering: .relaxed)
    return mask >> UInt32(severity.rawValue) & 1 != 0
  }
}
