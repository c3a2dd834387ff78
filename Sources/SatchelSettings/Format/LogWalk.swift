import CSatchelSystem
import SatchelSystem

/// What a walk meets.
enum LogItem {
  case record(Frame)
  /// An acknowledged record that is damaged; `hash` tells whose it was, where that is known.
  case damaged(hash: UInt64?)
}

/// Walks a stretch of the log: what is believed, what is skipped, where an untrusted end begins (docs/formats.md, 1.3, 1.4).
struct LogWalk {
  let base: UnsafeRawPointer
  let fields: HeaderFields
  private(set) var end: Int
  private(set) var lastCRC: UInt32
  private(set) var lastRevision: UInt64
  private(set) var damagedRecords = 0
  private(set) var droppedBytes = 0
  private(set) var isCut = false

  /// Frames of a transaction whose end has not been seen yet.
  private var pending: [Int] = []
  private var pendingStart = 0
  private var isBehindGap = false

  /// The file ends inside this stretch: what does not reach its end whole is missing, not damaged.
  var isCutShort = false
  /// Of the log: each revision is there. In a snapshot and a history many are not.
  private let isGapless: Bool

  init(
    base: UnsafeRawPointer, fields: HeaderFields, from: Int, lastCRC: UInt32, lastRevision: UInt64,
    isGapless: Bool = true
  ) {
    self.isGapless = isGapless
    self.base = base
    self.fields = fields
    end = from
    self.lastCRC = lastCRC
    self.lastRevision = lastRevision
  }

  // MARK: The trusted part

  /// Visits what was committed: a damaged record costs only itself.
  @inline(__always)
  mutating func walk(to limit: Int, visit: (LogItem, Int) -> Void) {
    walk(to: limit, doubtedFrom: .max, visit: visit)
  }

  /// From `doubtedFrom` on pages may have reached the disk in any order: a hole there that is not provably one damaged record
  /// ends the log.
  mutating func walk(to limit: Int, doubtedFrom: Int, visit: (LogItem, Int) -> Void) {
    while end < limit {
      let at = end
      let frame = Frame(base + at)
      let soundness = frame.soundness(room: limit - at, salt: fields.salt)
      if isCutShort, soundness != .whole, resynchronise(after: at, limit: limit) == limit {
        drop(from: at, limit: limit)
        return
      }
      switch soundness {
      case .whole where at < doubtedFrom || isBehindGap || frame.prev == lastCRC:
        accept(frame, at, visit)
      case .damagedBody where at < doubtedFrom || isOneDamagedRecord(at, at + frame.size, limit):
        skip(at, to: at + frame.size, revision: frame.revision, hash: frame.keyHash, visit)
      default:
        let next = resynchronise(after: at, limit: limit)
        if at >= doubtedFrom, !isOneDamagedRecord(at, next, limit) {
          drop(from: at, limit: limit)
          return
        }
        skipUnreadable(at, next, limit, isDoubted: at >= doubtedFrom, visit)
      }
    }
    // Committed lengths lie between transactions: what was doubted and ends inside one is not what was committed.
    if !pending.isEmpty, pendingStart >= doubtedFrom { drop(from: pendingStart, limit: limit) }
    flush(visit)
  }

  @inline(__always)
  private mutating func accept(_ frame: Frame, _ at: Int, _ visit: (LogItem, Int) -> Void) {
    if !pending.isEmpty, frame.revision != lastRevision { flush(visit) }
    if frame.hasMore || !pending.isEmpty {
      if pending.isEmpty { pendingStart = at }
      pending.append(at)
      if !frame.hasMore { flush(visit) }
    } else {
      visit(.record(frame), at)
    }
    lastCRC = frame.bodyCRC
    lastRevision = max(lastRevision, frame.revision)
    end = at + frame.size
    isBehindGap = false
  }

  private mutating func flush(_ visit: (LogItem, Int) -> Void) {
    for offset in pending { visit(.record(Frame(base + offset)), offset) }
    pending.removeAll(keepingCapacity: true)
  }

  private mutating func skip(
    _ at: Int, to next: Int, revision: UInt64, hash: UInt64?, _ visit: (LogItem, Int) -> Void
  ) {
    flush(visit)
    damagedRecords += 1
    lastCRC = Frame(base + at).bodyCRC
    lastRevision = max(lastRevision, revision)
    end = next
    isBehindGap = true
    visit(.damaged(hash: hash), at)
  }

  /// A record whose header is damaged, up to the next whole one.
  private mutating func skipUnreadable(
    _ at: Int, _ next: Int, _ limit: Int, isDoubted: Bool, _ visit: (LogItem, Int) -> Void
  ) {
    let frame = Frame(base + at)
    let hash = limit - at >= Frame.header ? frame.identifiedKeyHash(room: next - at, seed: fields.hashSeed) : nil
    // In a torn header the key may be another record's, from before.
    var hidesOthers = isDoubted && hash != nil
    var revision = lastRevision
    if next < limit {
      // More than one revision is missing: more than one record is in the gap.
      hidesOthers = hidesOthers || (isGapless && Frame(base + next).revision > lastRevision + 2)
    } else {
      // Lost records had numbers; none is given out again.
      let most = fillsOneRecord(at, next) ? 1 : LogWalk.mostRecords(limit - at)
      if isGapless { revision += most }
      hidesOthers = hidesOthers || most > 1
    }
    skip(at, to: next, revision: revision, hash: hash, visit)
    if hidesOthers, hash != nil { visit(.damaged(hash: nil), at) }
  }

  /// How many revisions a stretch may have held: the smallest record has a key of one byte.
  private static func mostRecords(_ bytes: Int) -> UInt64 {
    bytes > 0 ? UInt64(max(bytes / (Frame.header + 8), 1)) : 0
  }

  /// One record fills the stretch, by its body's check: only the header is damaged.
  private func fillsOneRecord(_ at: Int, _ next: Int) -> Bool {
    guard next - at >= Frame.header else { return false }
    let frame = Frame(base + at)
    return scs_crc32c(frame.headerCRC, base + at + Frame.header, next - at - Frame.header) == frame.bodyCRC
  }

  /// The next offset with a whole frame whose revision has not fallen, or `limit`.
  private func resynchronise(after at: Int, limit: Int) -> Int {
    var next = at + 8
    while limit - next >= Frame.header {
      let frame = Frame(base + next)
      if frame.hasPlausibleShape(room: limit - next), frame.revision >= lastRevision,
        case .whole = frame.soundness(room: limit - next, salt: fields.salt)
      {
        return next
      }
      next += 8
    }
    return limit
  }

  /// The frame behind the hole names the CRC of the frame before it: exactly one record fills the hole. A sector that is all
  /// zeros is one that never reached an allocated file.
  private func isOneDamagedRecord(_ gap: Int, _ next: Int, _ limit: Int) -> Bool {
    guard next < limit, next - gap >= Frame.header,
      case .whole = Frame(base + next).soundness(room: limit - next, salt: fields.salt)
    else { return false }
    let prev = Frame(base + next).prev
    let computed = scs_crc32c(Frame(base + gap).headerCRC, base + gap + Frame.header, next - gap - Frame.header)
    return (Frame(base + gap).bodyCRC == prev || computed == prev) && !hasLostSector(gap, next)
  }

  private func hasLostSector(_ gap: Int, _ next: Int) -> Bool {
    var start = gap
    while start < next {
      let end = min((start / 512 + 1) * 512, next)
      if stride(from: start, to: end, by: 8).allSatisfy({ base.load(fromByteOffset: $0, as: UInt64.self) == 0 }) {
        return true
      }
      start = end
    }
    return false
  }

  private mutating func drop(from at: Int, limit: Int) {
    if !pending.isEmpty { end = pendingStart }
    pending.removeAll()
    droppedBytes += limit - end
    lastRevision += LogWalk.mostRecords(limit - end)
    // What follows must continue the chain of what is left.
    hasDropped = true
  }
  private(set) var hasDropped = false

  // MARK: Joining

  /// The file ends before what was committed.
  mutating func countMissing(from: Int, to: Int) {
    droppedBytes += max(to - from, 0)
    lastRevision += LogWalk.mostRecords(to - from)
    isCut = true
  }

  /// Counts what an earlier stretch lost as well.
  mutating func inherit(_ earlier: LogWalk) {
    damagedRecords += earlier.damagedRecords
  }

  /// The log begins anew, empty.
  mutating func restartLog(at start: Int) {
    (end, lastCRC) = (start, fields.salt)
    lastRevision = max(lastRevision, fields.baseRevision)
  }

  /// A frame has been appended at `end`.
  mutating func append(size: Int, crc: UInt32, revision: UInt64) {
    (end, lastCRC, lastRevision) = (end + size, crc, revision)
  }

  // MARK: The untrusted part

  /// Accepts whole transactions that continue the chain beyond what was committed.
  mutating func walkChain(to limit: Int, visit: (LogItem, Int) -> Void) {
    guard !hasDropped else { return }
    var at = end
    var crc = lastCRC
    var revision = lastRevision
    var group: [Int] = []
    while limit - at >= Frame.header {
      let frame = Frame(base + at)
      let expected = group.isEmpty ? revision + 1 : revision
      guard case .whole = frame.soundness(room: limit - at, salt: fields.salt), frame.prev == crc,
        frame.revision == expected || (group.isEmpty && frame.isNote && frame.revision > expected)
      else { return }
      crc = frame.bodyCRC
      revision = frame.revision
      group.append(at)
      at += frame.size
      if frame.hasMore { continue }
      for offset in group { visit(.record(Frame(base + offset)), offset) }
      group.removeAll(keepingCapacity: true)
      (end, lastCRC, lastRevision) = (at, crc, revision)
    }
  }
}
