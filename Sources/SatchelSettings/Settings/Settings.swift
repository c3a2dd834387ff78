import SatchelSystem
import SatchelValues

/// A domain: a named store of typed values, shared by every process of the user, in every language.
///
/// Reading takes no lock and no system call and sees everything acknowledged before. All of it is safe from any thread, and
/// in a forked child. The domain is closed when the last reference goes.
///
///     let settings = try Settings(domain: "org.example.player")
///     try settings.set(0.5, for: "volume")
///     let volume = try settings.get("volume", as: Double.self) ?? 1
///     try settings.add("plays", 1)
public final class Settings: Sendable {
  /// Everything behind it is made for several threads.
  package nonisolated(unsafe) let store: StorePointer

  /// How to open a domain.
  public struct Options: Sendable {
    /// Never write, not even to create the domain: opening one that does not exist fails with `notFound`.
    public var readOnly = false
    /// Create the domain where it does not exist.
    public var create = true
    /// When creating it: for use from several machines, with file locks instead of shared memory.
    public var portable = false
    public var durability = Durability.process
    /// How long a write waits for others.
    public var lockTimeout = Duration.seconds(5)
    /// Where domains live; nil for `$XDG_CONFIG_HOME/satchel`.
    public var directory: String?
    /// The author's name in the history; nil for this program's name.
    public var program: String?

    public init() {}
  }

  /// Opens a domain, and creates it where it does not exist.
  ///
  /// - Parameter domain: 1 to 255 bytes of `A-Z a-z 0-9 . _ -`, no leading dot; `global` is reserved.
  /// - Throws: `SatchelError` with the domain and path: `invalid`, `notFound`, `denied`, `readOnly`, `full`, `version`, `corrupt`, `io`.
  /// - Complexity: O(records since the last compaction).
  public init(domain: String, options: Options = Options()) throws(SatchelError) {
    store = try .open(domain: domain, options: options)
  }

  deinit { store.close() }

  /// The domain's name.
  public var domain: String { store.pointee.domain }
  /// The file it lives in.
  public var path: String { store.pointee.path }

  /// The domains that exist, sorted by name.
  public static func domains(in directory: String? = nil) throws(SatchelError) -> [String] {
    try Domain.all(in: directory)
  }

  /// The number of the newest revision; 0 in a new domain. One write or transaction is one revision. O(1).
  public var revision: UInt64 {
    get throws(SatchelError) {
      var revision: UInt64 = 0
      try store.check(store.revision(&revision), nil)
      return revision
    }
  }
}

extension Settings: CustomStringConvertible {
  /// The domain's name and its file.
  public var description: String { "Settings \(domain) (\(path))" }
}

extension Store.Options {
  init(_ options: Settings.Options) {
    isReadOnly = options.readOnly
    creates = options.create
    isPortable = options.portable
    durability = options.durability
    lockTimeout = options.lockTimeout.clampedNanoseconds
    program = options.program ?? ""
  }
}

extension Duration {
  /// Nanoseconds, as far as 64 bits reach.
  var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return seconds < 0 ? .min : .max }
    let (sum, tooLarge) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return tooLarge ? .max : sum
  }
}
