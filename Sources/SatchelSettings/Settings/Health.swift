/// How a domain is.
public struct Health: Sendable {
  /// Records that were acknowledged and are damaged now, those of the past included.
  public var damagedRecords = 0
  /// Keys that answer `corrupt`; nil for one whose name is lost too.
  public var corruptKeys: [String?] = []
  /// A damaged record's key is unknown, so any key may hold an older value.
  public var isDegraded = false
  /// An end of the log that is gone: a power cut took it before it reached the disk, or the file has been cut short.
  public var droppedBytes = 0
  public var fileBytes = 0
  /// What the file takes on its disk: with what is kept ready behind its end it may be more.
  public var diskBytes = 0
  /// Of `fileBytes`, in use.
  public var logBytes = 0
  /// How often it has been compacted, plus one.
  public var generation: UInt64 = 1
  /// How many keys have a value.
  public var keys = 0
  /// File locks, for use from several machines.
  public var isPortable = false
  /// What has happened to the log, oldest first (docs/formats.md, 1.2), but for what has been accepted.
  public var notes: [Event] = []

  /// What a note tells of. The raw value is what the file has.
  public enum Event: String, Sendable {
    /// An end that had not reached the disk was dropped.
    case powerLoss = "power-loss"
    /// Records whose keys are unknown were lost.
    case damaged
    /// The file was found shorter than what had been written.
    case cut
    /// The file was found empty.
    case headerLost = "header-lost"
    /// The losses before it were accepted.
    case accepted
  }

  /// No key is affected by a loss that has not been settled. Damage may remain in the past of a key that was written again.
  public var isSound: Bool { corruptKeys.isEmpty && !isDegraded && droppedBytes == 0 }
}
