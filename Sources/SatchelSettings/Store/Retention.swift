import SatchelSystem

/// How much of the past a compaction keeps, besides every key's present state.
struct HistoryLimits {
  var revisions: UInt64 = 10_000
  var recordsPerKey: UInt32 = 100
  var bytes = 16 << 20
}

/// Chooses the past records that a compaction keeps: those of the newest revisions, and the newest of each key, while there is
/// room for them.
///
/// From the newest to the oldest, and no further than needed: of a log written in a hurry only the end is looked at.
struct Retention {
  private let index: ViewPointer
  private let offsets: [Int]
  private let logStart: Int
  private let lastRevision: UInt64
  private let generation: GenerationPointer
  private let limits: HistoryLimits
  /// What is kept of each key, by its slot in the index of the scan.
  private var counts: [UInt32]
  private var keysWithRoom: Int
  private var bytes = 0
  private var kept: [Int] = []

  /// The scan must outlive it.
  init(_ scan: borrowing FullScan, _ generation: GenerationPointer, _ limits: HistoryLimits) {
    index = scan.view
    offsets = scan.offsets
    logStart = scan.logStart
    lastRevision = scan.lastRevision
    self.generation = generation
    self.limits = limits
    counts = Array(repeating: 0, count: index.pointee.mask + 1)
    keysWithRoom = limits.recordsPerKey > 0 ? index.pointee.used : 0
  }

  /// Offsets from the oldest to the newest.
  mutating func choose() -> [Int] {
    if !choose(from: offsets[logStart...].reversed()) {
      // Snapshot and history are two rising runs.
      let older = offsets[..<logStart].sorted(by: generation.isOlder)
      _ = choose(from: older.reversed())
    }
    return kept.reversed()
  }

  /// True when nothing older can be kept.
  private mutating func choose(from newestFirst: some Sequence<Int>) -> Bool {
    for offset in newestFirst {
      let frame = Frame(generation.base + offset)
      let isRecent = frame.revision + limits.revisions > lastRevision
      if !isRecent, keysWithRoom == 0 { return true }
      let slot = index.slot(ofHash: frame.keyHash)
      if frame.isSet, let slot, index.isOffset(offset, inSlot: slot) { continue }
      let hasRoom = slot.map { count($0) } ?? false
      guard isRecent || hasRoom else { continue }
      bytes += frame.size
      if bytes > limits.bytes { return true }
      kept.append(offset)
    }
    return false
  }

  /// Counts one more past record of a key; true while its share is not used up.
  private mutating func count(_ slot: Int) -> Bool {
    guard counts[slot] < limits.recordsPerKey else { return false }
    counts[slot] += 1
    if counts[slot] == limits.recordsPerKey { keysWithRoom -= 1 }
    return true
  }
}

extension UnsafeMutablePointer where Pointee == Generation {
  /// By revision; records of one transaction in their order.
  func isOlder(_ a: Int, _ b: Int) -> Bool { (Frame(base + a).revision, a) < (Frame(base + b).revision, b) }
}
