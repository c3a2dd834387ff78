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
  @usableFromInline let owner: UnsafeMutableRawPointer
  /// A row of the log's table; 0 where it is the whole log, or has no row.
  @usableFromInline let category: UInt8
  /// The name of a category without a row.
  @usableFromInline let longCategory: UnsafeRawBufferPointer?

  init(directory: LogDirectory, category: UInt8, longCategory: UnsafeRawBufferPointer?) {
    override = directory.control.override(Int(category))
    wanted = Atomic(SeverityMask.from(.info).rawValue)
    console = Atomic(SeverityMask.from(.notice).rawValue)
    owner = Unmanaged.passUnretained(directory).toOpaque()
    self.category = category
    self.longCategory = longCategory
  }

  /// What this process wants: what the environment says, else its options.
  func choose(_ options: LogOptions, category name: String) {
    let level = LogEnvironment.directives().mask(for: name) ?? .from(options.level ?? .info)
    let shown = options.showsOnConsole ? SeverityMask.from(options.console ?? .notice) : []
    wanted.store(level.rawValue, ordering: .relaxed)
    console.store(shown.intersection(level).rawValue, ordering: .relaxed)
  }

  @inlinable @inline(__always)
  func isEnabled(_ severity: Severity) -> Bool {
    let outside = override.pointee.load(ordering: .relaxed)
    let mask = outside != 0 ? outside : wanted.load(ordering: .relaxed)
    return mask >> UInt32(severity.rawValue) & 1 != 0
  }
}
