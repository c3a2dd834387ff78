import SatchelSystem

/// How the control file of a log directory lies in memory. Every process that logs there maps it; docs/formats.md has the bytes.
enum ControlLayout {
  static let magic: UInt64 = 0x3147_4F4C_4354_4153  // "SATCLOG1"
  static let version: UInt32 = 1

  // The header, in lines that different processes write.
  static let bootID = 16
  /// sequence << 24 | fence << 2 | state: every change of what is committed is one store here.
  static let word = 64
  /// The leader sleeps here: count << 2 | state.
  static let leaderSleep = 128
  /// Those who wait for a commit.
  static let commitSleep = 192
  /// Counts urgent records.
  static let urgent = 256
  /// The sequence that somebody wants on the disk, and the one that is there.
  static let wantedOnDisk = 320
  static let onDisk = 328
  /// Ring slots below it have been used.
  static let ringCount = 384
  static let clock = 448
  static let earlierClock = 512
  static let configuration = 576
  static let counters = 768
  /// The zone by which files are named: a count and up to 252 bytes.
  static let zone = 1024
  static let zoneLimit = 252
  /// Severities set from outside, a u32 for each category; beside what every call looks at anyway.
  static let masks = 1536

  static let commits = 4096
  static let commitSize = 8192
  static let ringHeaders = 20480
  static let ringHeaderSize = 128
  static let categories = 61440
  static let categorySize = 64
  static let cells = 65536
  static let batch = 327_680
  static let size = 851_968

  static let rings = 256
  static let ringSize = 256 << 10
  static let cellCount = 64
  static let cellSize = 4096
  /// Ring slots and, behind them, cells: both are drained by their tails.
  static let slots = rings + cellCount
  static let categoryRows = 64
  static let categoryNameLimit = 40
  /// A batch ends once it is that long; the room behind it is for the line in which it gets there.
  static let batchLimit = 256 << 10
  static let batchRoom = size - batch

  /// Fields of a commit slot.
  enum Commit {
    static let device = 0
    static let inode = 8
    static let birth = 16
    static let start = 24
    static let bytes = 32
    static let newest = 40
    static let day = 48
    static let number = 52
    static let tails = 64
  }
}

/// The word of a log directory, taken apart.
struct CommitState: Equatable {
  let bits: UInt64

  /// Counts commits; its lowest bit names the commit slot that is the truth.
  var sequence: UInt64 { bits >> 24 }
  /// A batch is on its way into the file.
  var isWriting: Bool { bits & 3 == 1 }

  /// A leader that is building a batch has to begin anew.
  var fenced: CommitState { CommitState(bits: (bits & ~0xff_fffc) | ((bits &+ 4) & 0xff_fffc)) }
  var writing: CommitState { CommitState(bits: bits | 1) }
  /// The batch is in the file.
  var committed: CommitState { CommitState(bits: (bits & ~3) &+ (1 << 24)) }
  /// Given up: nothing is on its way, and whoever relied on it begins anew.
  var abandoned: CommitState { CommitState(bits: fenced.bits & ~3) }
}
