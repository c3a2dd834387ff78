import CSatchelSystem
import SatchelSystem

/// What a walk meets.
enum LogItem {
  case record(Frame)
  /// An acknowledged record that is damaged; `hash` tells whose it was, where that is known.
  case damaged(hash: UInt64?)
  /// More than the damaged record just met is lost, and nobody knows whose.
  case othersLost
}

/// Walks a stretch of the file: what is believed, what is skipped, where an untrusted end begins (docs/formats.md, 1.3, 1.4).
struct LogWalk {
  let base: UnsafeRawPointer
  let fields: HeaderFields
  private(set) var end: Int
  private(set) var lastCRC: UInt32
  private(set) var lastRevision: UInt64
  private(set) var damagedRecords = 0
  private(set) var droppedBytes = 0
  private var isCut = false
  /// Behind the last record with a right header that ends a transaction.
  private(set) var transactionEnd: Int

  /// A hole that reaches to `end`: what comes behind it, or nothing, tells how much it held.
  private struct Hole {
    var start: Int
    var isIdentified: Bool
  }
  private var hole: Hole?
  /// What lies before `end` is damaged: its CRC is no link to what follows.
  private var isBehindDamage = false

  init(base: UnsafeRawPointer, fields: HeaderFields, from: Int, lastCRC: UInt32, lastRevision: UInt64) {
    self.base = base
    self.fields = fields
    end = from
    transactionEnd = from
    self.lastCRC = lastCRC
    self.lastRevision = lastRevision
  }

  // MARK: The trusted part

  /// Visits what was committed: a damaged record costs only itself. Ends before `limit` where that lies inside a record.
  @inline(__always)
  mutating func walk(to limit: Int, visit: (LogItem, Int) -> Void) {
    while end < limit {
      let frame = Frame(base + end)
      switch frame.soundness(room: limit - end, salt: fields.salt) {
      case .whole: accept(frame, visit)
      case .damagedBody: skip(frame, visit)
      case .reachesBeyond: return
      case .damagedHeader:
        skipUnreadable(to: resynchronise(after: end, limit, lastRevision), visit)
      }
    }
  }

  @inline(__always)
  private mutating func accept(_ frame: Frame, _ visit: (LogItem, Int) -> Void) {
    if hole != nil { settleHole(before: frame, visit) }
    visit(.record(frame), end)
    step(over: frame)
    isBehindDamage = false
  }

  @inline(__always)
  private mutating func step(over frame: Frame) {
    lastCRC = frame.bodyCRC
    lastRevision = max(lastRevision, frame.revision)
    end += frame.size
    if !frame.hasMore { transactionEnd = end }
  }

  /// Of a record with a damaged body the header is right: its size, and whose it was.
  private mutating func skip(_ frame: Frame, _ visit: (LogItem, Int) -> Void) {
    if hole != nil { settleHole(before: frame, visit) }
    damagedRecords += 1
    // What a note said is not known any more: it may have been that any key holds an older value.
    visit(.damaged(hash: frame.isNote ? nil : frame.keyHash), end)
    step(over: frame)
    isBehindDamage = true
  }

  /// A record whose header is damaged, up to the next whole one.
  private mutating func skipUnreadable(to next: Int, _ visit: (LogItem, Int) -> Void) {
    let frame = Frame(base + end)
    let room = next - end
    let hash = room >= Frame.header ? frame.identifiedKeyHash(room: room, seed: fields.hashSeed) : nil
    damagedRecords += 1
    visit(.damaged(hash: hash), end)
    hole = Hole(start: end, isIdentified: hash != nil)
    lastCRC = frame.bodyCRC
    end = next
    isBehindDamage = true
  }

  /// The frame behind a hole names the body CRC of the record before it: where that is the CRC of the hole's first record, there
  /// was no other.
  private mutating func settleHole(before frame: Frame, _ visit: (LogItem, Int) -> Void) {
    guard let hole else { return }
    self.hole = nil
    if hole.isIdentified, !isOneRecord(hole.start, end, namedAs: frame.prev) { visit(.othersLost, hole.start) }
  }

  /// Lost records had numbers; none is given out again.
  private mutating func settleLastHole(_ visit: (LogItem, Int) -> Void) {
    guard let hole else { return }
    self.hole = nil
    let most = LogWalk.mostRecords(end - hole.start)
    if most == 1 || bodyCRC(hole.start, end) == lastCRC {
      reserve(1)
      return
    }
    reserve(most)
    // What is written next must not look like what followed the first of these.
    lastCRC = ~lastCRC
    if hole.isIdentified { visit(.othersLost, hole.start) }
  }

  /// Numbers that may have been given out.
  private mutating func reserve(_ revisions: UInt64) {
    lastRevision = min(lastRevision + revisions, Frame.revisionLimit - 1)
  }

  /// How many revisions a stretch may have held: the smallest record has a key of one byte.
  private static func mostRecords(_ bytes: Int) -> UInt64 {
    bytes > 0 ? UInt64(max(bytes / (Frame.header + 8), 1)) : 0
  }

  private func isOneRecord(_ start: Int, _ end: Int, namedAs crc: UInt32) -> Bool {
    Frame(base + start).bodyCRC == crc || bodyCRC(start, end) == crc
  }

  /// The body CRC of a frame that fills [start, end).
  private func bodyCRC(_ start: Int, _ end: Int) -> UInt32? {
    guard end - start >= Frame.header else { return nil }
    return scs_crc32c(Frame(base + start).headerCRC, base + start + Frame.header, end - start - Frame.header)
  }

  /// The next offset with a whole frame whose revision has not fallen, or `limit`.
  private func resynchronise(after at: Int, _ limit: Int, _ revision: UInt64) -> Int {
    var next = at + 8
    while limit - next >= Frame.header {
      let frame = Frame(base + next)
      if frame.hasPlausibleShape(room: limit - next), frame.revision >= revision,
        case .whole = frame.soundness(room: limit - next, salt: fields.salt)
      {
        return next
      }
      next += 8
    }
    return limit
  }

  // MARK: The untrusted part

  /// A record of the chain, and what the next one must say.
  private struct Link {
    var start: Int
    var next: Int
    var soundness: Frame.Soundness
    var crc: UInt32?
    var revision: UInt64
    var hasMore: Bool
  }

  /// Visits what was never known to be on disk: whole transactions in an unbroken chain of consecutive revisions. Below
  /// `committed` a damaged record is no end where it was provably whole once.
  mutating func walkChain(to limit: Int, committed: Int, visit: (LogItem, Int) -> Void) {
    var group: [Link] = []
    var last = Link(
      start: end, next: end, soundness: .whole, crc: isBehindDamage ? nil : lastCRC, revision: lastRevision,
      hasMore: false)
    var jumps = hole != nil
    while let link = link(behind: last, jumps: jumps, limit: limit, committed: committed) {
      group.append(link)
      (last, jumps) = (link, false)
      if link.hasMore { continue }
      for link in group { take(link, visit) }
      group.removeAll(keepingCapacity: true)
    }
  }

  private func link(behind last: Link, jumps: Bool, limit: Int, committed: Int) -> Link? {
    let at = last.next
    let frame = Frame(base + at)
    guard limit - at >= Frame.header else { return nil }
    let soundness = frame.soundness(room: limit - at, salt: fields.salt)
    switch soundness {
    case .whole, .damagedBody:
      guard last.crc == nil || frame.prev == last.crc, follows(frame, last, jumps) else { return nil }
      let next = at + frame.size
      let crc = soundness == .whole ? frame.bodyCRC : rottenCRC(at, next, limit, committed)
      return crc.map { crc in
        Link(start: at, next: next, soundness: soundness, crc: crc, revision: frame.revision, hasMore: frame.hasMore)
      }
    case .damagedHeader:
      // In two sectors it may be half of one record and half of another. Behind a gap nothing tells its revision.
      guard !jumps, at / 512 == (at + Frame.header - 1) / 512 else { return nil }
      let next = resynchronise(after: at, limit, last.revision)
      let revision = last.hasMore ? last.revision : last.revision + 1
      return rottenCRC(at, next, limit, committed).map { crc in
        Link(
          start: at, next: next, soundness: soundness, crc: crc, revision: revision,
          hasMore: Frame(base + next).revision == revision)
      }
    case .reachesBeyond: return nil
    }
  }

  private func follows(_ frame: Frame, _ last: Link, _ jumps: Bool) -> Bool {
    if last.hasMore { return frame.revision == last.revision }
    return frame.revision == last.revision + 1 || ((jumps || frame.isNote) && frame.revision > last.revision)
  }

  private mutating func take(_ link: Link, _ visit: (LogItem, Int) -> Void) {
    switch link.soundness {
    case .whole: accept(Frame(base + link.start), visit)
    case .damagedBody: skip(Frame(base + link.start), visit)
    default: skipUnreadable(to: link.next, visit)
    }
  }

  /// What the whole frame behind a damaged record calls it by, where that was whole once: one record, each sector of which was
  /// written. A sector that is all zeros is one that never reached an allocated file.
  private func rottenCRC(_ at: Int, _ next: Int, _ limit: Int, _ committed: Int) -> UInt32? {
    guard next <= committed, next - at >= Frame.header,
      case .whole = Frame(base + next).soundness(room: limit - next, salt: fields.salt)
    else { return nil }
    let crc = Frame(base + next).prev
    return isOneRecord(at, next, namedAs: crc) && !hasLostSector(at, next) ? crc : nil
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

  // MARK: Ending

  /// Nothing follows, though the records are known to have reached up to `known` once.
  mutating func conclude(known: Int, fileEnd: Int, visit: (LogItem, Int) -> Void) {
    settleLastHole(visit)
    guard end < known else { return }
    droppedBytes = known - end
    reserve(LogWalk.mostRecords(droppedBytes))
    isCut = known > fileEnd
  }

  /// What took the end of it, if anything did.
  var loss: Health.Event? { droppedBytes == 0 ? nil : isCut ? .cut : .powerLoss }

  /// The file ends inside this stretch: it is taken up to its last whole transaction, the rest is one hole.
  mutating func walkCutShort(to limit: Int, visit: (LogItem, Int) -> Void) {
    var probe = self
    probe.walk(to: limit) { _, _ in }
    walk(to: probe.transactionEnd, visit: visit)
  }

  /// What follows in a snapshot or a history is missing.
  mutating func loseRest(visit: (LogItem, Int) -> Void) {
    damagedRecords += 1
    visit(.damaged(hash: nil), end)
  }

  /// Counts what an earlier stretch lost as well.
  mutating func inherit(_ earlier: LogWalk) { damagedRecords += earlier.damagedRecords }

  /// A frame has been appended at `end`.
  mutating func append(size: Int, crc: UInt32, revision: UInt64) {
    (end, lastCRC, lastRevision) = (end + size, crc, revision)
  }
}
