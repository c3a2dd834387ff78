import Glibc
import SatchelSystem
import Synchronization

/// What a slot leads to.
enum Finding {
  case absent
  /// The key's newest record is damaged.
  case corrupt
  case record(Frame)
}

/// The private index of one generation: open addressing over slots that are single atomic words
/// [hash:32][ghost:1][offset / 8:31] into the log, which never changes. Readers probe without a lock while one thread inserts.
///
/// A hash table of its own beside that of the collections: its keys stay in the mapped file, and readers of other threads and
/// children of a fork look into it while it is being changed.
///
/// A *ghost* is a key known by its hash alone, because its record is damaged; its slot holds a position in `ghosts`.
struct View: ~Copyable {
  static let ghostBit: UInt64 = 1 << 31
  static let ghostLimit = 4096

  let base: UnsafeRawPointer
  let slots: UnsafeMutablePointer<Atomic<UInt64>>
  let mask: Int
  let hashSeed: UInt64
  let generation: GenerationPointer
  /// What stands for "complete for no committed word": none that a view is ever complete for, whatever a damaged file holds.
  static let nothing = CommitWord.retired

  /// The committed word that the slots are complete for, exactly as read; `nothing` sends every reader the long way.
  let seen: Atomic<UInt64>
  let revision: Atomic<UInt64>
  /// Made with the first of them: hardly any file has one.
  private let ghosts = Atomic<UnsafeMutablePointer<Ghost>?>(nil)

  // The rest belongs to whoever holds the index lock.
  /// The same word as `seen`, in portable mode too.
  let indexed: Atomic<UInt64>
  private var extents: (Extent, Extent)
  private let turn = Atomic<Int>(0)
  var ghostCount = 0
  var used = 0
  /// Made of what recovery would accept: the words of the file are not believed.
  var isPrivate = false

  /// How far the index goes, and what was met up to there.
  struct Extent {
    var length: Int
    var lastCRC: UInt32
    var lastRevision: UInt64
    var damagedRecords = 0
    var droppedBytes = 0
    var isDegraded = false
  }

  struct Ghost {
    var hash: UInt64
    var offset: Int
  }

  /// nil where there is no memory for it.
  init?(_ generation: GenerationPointer, slotCount: Int) {
    // calloc: fresh pages are zero already, so a large empty table costs nothing until it is touched.
    guard let slots = calloc(slotCount, 8) else { return nil }
    self.generation = generation
    base = UnsafeRawPointer(generation.pointee.base)
    hashSeed = generation.pointee.fields.hashSeed
    mask = slotCount - 1
    self.slots = slots.assumingMemoryBound(to: Atomic<UInt64>.self)
    seen = Atomic(View.nothing)
    indexed = Atomic(View.nothing)
    revision = Atomic(generation.pointee.fields.baseRevision)
    let start = Extent(
      length: Header.size, lastCRC: generation.pointee.fields.salt,
      lastRevision: generation.pointee.fields.baseRevision)
    extents = (start, start)
    generation.retain()
  }

  // MARK: Extent

  var extent: Extent { turn.load(ordering: .acquiring) == 0 ? extents.0 : extents.1 }

  /// The next one, in the making. A child forked meanwhile finds the extent as it was, and indexes the same stretch again.
  var draft: Extent {
    get { turn.load(ordering: .relaxed) == 0 ? extents.1 : extents.0 }
    set { if turn.load(ordering: .relaxed) == 0 { extents.1 = newValue } else { extents.0 = newValue } }
  }

  mutating func beginDraft() { draft = extent }

  /// One store makes all of the draft the extent.
  mutating func settleDraft() { turn.store(turn.load(ordering: .relaxed) ^ 1, ordering: .releasing) }

  fileprivate mutating func adoptExtents(of other: ViewPointer) {
    extents = other.pointee.extents
    turn.store(other.pointee.turn.load(ordering: .relaxed), ordering: .relaxed)
  }

  // MARK: Ghosts

  /// Of a slot that leads to a ghost: whoever has loaded one finds the table.
  @inline(__always)
  fileprivate func ghost(ofSlot slot: UInt64) -> Ghost {
    ghosts.load(ordering: .relaxed).unsafelyUnwrapped[Int(slot & 0x7FFF_FFFF)]
  }

  fileprivate mutating func add(ghost: Ghost) throws(Refusal) {
    try ghostTable()[ghostCount] = ghost
    ghostCount += 1
  }

  fileprivate mutating func adoptGhosts(of other: ViewPointer) throws(Refusal) {
    guard let theirs = other.pointee.ghosts.load(ordering: .relaxed) else { return }
    ghostCount = other.pointee.ghostCount
    memcpy(try ghostTable(), theirs, ghostCount * MemoryLayout<Ghost>.stride)
  }

  private func ghostTable() throws(Refusal) -> UnsafeMutablePointer<Ghost> {
    if let table = ghosts.load(ordering: .relaxed) { return table }
    guard let memory = calloc(View.ghostLimit, MemoryLayout<Ghost>.stride) else { throw Refusal(code: .noMemory) }
    let table = memory.assumingMemoryBound(to: Ghost.self)
    ghosts.store(table, ordering: .relaxed)
    return table
  }

  fileprivate func freeTables() {
    free(slots)
    free(ghosts.load(ordering: .relaxed))
  }
}
typealias ViewPointer = UnsafeMutablePointer<View>

extension UnsafeMutablePointer where Pointee == View {
  static func make(_ generation: GenerationPointer, slotCount: Int) throws(Refusal) -> ViewPointer {
    guard let view = View(generation, slotCount: slotCount) else { throw Refusal(code: .noMemory) }
    let pointer = ViewPointer.allocate(capacity: 1)
    pointer.initialize(to: view)
    return pointer
  }

  /// Frees the table, and the generation with its last one.
  func destroy() {
    let generation = pointee.generation
    defer { generation.release() }
    pointee.freeTables()
    deinitialize(count: 1)
    deallocate()
  }

  // MARK: Looking up

  /// O(1). Any thread, while another one inserts.
  @inline(__always)
  func find(_ key: UnsafeRawPointer, _ count: Int, _ hash: UInt64) -> Finding {
    let mask = pointee.mask
    let base = pointee.base
    let slots = pointee.slots
    let tag = UInt32(truncatingIfNeeded: hash)
    var i = Int(tag) & mask
    while true {
      let slot = slots[i].load(ordering: .acquiring)
      if slot == 0 { return .absent }
      if UInt32(truncatingIfNeeded: slot >> 32) == tag {
        if slot & View.ghostBit == 0 {
          let frame = Frame(base + Int(slot & 0x7FFF_FFFF) << 3)
          if frame.hasKey(key, count) { return .record(frame) }
        } else if pointee.ghost(ofSlot: slot).hash == hash {
          return .corrupt
        }
      }
      i = (i &+ 1) & mask
    }
  }

  /// The slot of the key with that hash, whatever it leads to.
  func slot(ofHash hash: UInt64) -> Int? {
    let tag = UInt32(truncatingIfNeeded: hash)
    var i = Int(tag) & pointee.mask
    while true {
      let slot = pointee.slots[i].load(ordering: .relaxed)
      if slot == 0 { return nil }
      if UInt32(truncatingIfNeeded: slot >> 32) == tag, keyHash(ofSlot: slot) == hash { return i }
      i = (i &+ 1) & pointee.mask
    }
  }

  private func keyHash(ofSlot slot: UInt64) -> UInt64 {
    slot & View.ghostBit != 0 ? pointee.ghost(ofSlot: slot).hash : Frame(pointee.base + offset(ofSlot: slot)).keyHash
  }

  /// True when the slot leads to the record at `offset`.
  func isOffset(_ offset: Int, inSlot i: Int) -> Bool {
    let slot = pointee.slots[i].load(ordering: .relaxed)
    return slot & View.ghostBit == 0 && self.offset(ofSlot: slot) == offset
  }

  // MARK: Inserting (index lock held)

  /// Slots only move forward, so doing a stretch of the log twice, as a forked child may, changes nothing.
  @inline(__always)
  func insert(_ frame: Frame, at offset: Int) {
    let tag = UInt32(truncatingIfNeeded: frame.keyHash)
    let new = UInt64(tag) << 32 | UInt64(offset) >> 3
    place(hash: frame.keyHash, tag: tag, offset: offset, matches: { $0.hasKey(frame.key, frame.keyLength) }) { new }
  }

  /// What a walk met, with room made for it.
  @inline(__always)
  func take(_ item: LogItem, _ at: Int) throws(Refusal) {
    switch item {
    case .record(let frame) where frame.isNote: take(note: frame)
    case .record(let frame) where frame.isLost: try insertGhost(hash: frame.keyHash, at: at)
    case .record(let frame): insert(frame, at: at)
    case .damaged(let hash?): try insertGhost(hash: hash, at: at)
    case .damaged(nil), .othersLost: pointee.draft.isDegraded = true
    }
  }

  /// Losses that the log tells of, until it tells that they are settled.
  func take(note frame: Frame) {
    guard let note = Note(frame) else { return }
    switch note.kind {
    case .damaged: pointee.draft.isDegraded = true
    case .powerLoss, .cut, .headerLost: pointee.draft.droppedBytes += note.bytes ?? 0
    case .accepted:
      pointee.draft.isDegraded = false
      pointee.draft.droppedBytes = 0
      pointee.draft.damagedRecords = 0
    }
  }

  func insertGhost(hash: UInt64, at offset: Int) throws(Refusal) {
    guard pointee.ghostCount < View.ghostLimit else {
      pointee.draft.isDegraded = true
      return
    }
    let position = pointee.ghostCount
    try pointee.add(ghost: View.Ghost(hash: hash, offset: offset))
    let tag = UInt32(truncatingIfNeeded: hash)
    let new = UInt64(tag) << 32 | View.ghostBit | UInt64(position)
    place(hash: hash, tag: tag, offset: offset, matches: { $0.keyHash == hash }) { new }
  }

  @inline(__always)
  private func place(hash: UInt64, tag: UInt32, offset: Int, matches: (Frame) -> Bool, new: () -> UInt64) {
    let mask = pointee.mask
    let slots = pointee.slots
    var i = Int(tag) & mask
    while true {
      let slot = slots[i].load(ordering: .relaxed)
      if slot == 0 {
        pointee.used += 1
        slots[i].store(new(), ordering: .releasing)
        return
      }
      if UInt32(truncatingIfNeeded: slot >> 32) == tag {
        let old = self.offset(ofSlot: slot)
        if slot & View.ghostBit != 0 ? pointee.ghost(ofSlot: slot).hash == hash : matches(Frame(pointee.base + old)) {
          if old < offset { slots[i].store(new(), ordering: .releasing) }
          return
        }
      }
      i = (i &+ 1) & mask
    }
  }

  func offset(ofSlot slot: UInt64) -> Int {
    slot & View.ghostBit != 0 ? pointee.ghost(ofSlot: slot).offset : Int(slot & 0x7FFF_FFFF) << 3
  }

  /// Room for one more key, in a larger table if need be.
  @inline(__always)
  func withRoom() throws(Refusal) -> ViewPointer {
    pointee.used * 2 <= pointee.mask ? self : try grown()
  }

  /// Positions come from the hash bits kept in the slots: growing reads no key and no page of the log.
  @inline(never)
  private func grown() throws(Refusal) -> ViewPointer {
    let new = try ViewPointer.make(pointee.generation, slotCount: (pointee.mask + 1) * 2)
    do throws(Refusal) { try new.pointee.adoptGhosts(of: self) } catch {
      new.destroy()
      throw error
    }
    let mask = new.pointee.mask
    for i in 0...pointee.mask {
      let slot = pointee.slots[i].load(ordering: .relaxed)
      if slot == 0 { continue }
      var j = Int(slot >> 32) & mask
      while new.pointee.slots[j].load(ordering: .relaxed) != 0 { j = (j &+ 1) & mask }
      new.pointee.slots[j].store(slot, ordering: .relaxed)
    }
    new.pointee.used = pointee.used
    new.pointee.adoptExtents(of: self)
    new.pointee.isPrivate = pointee.isPrivate
    new.pointee.revision.store(pointee.revision.load(ordering: .relaxed), ordering: .relaxed)
    new.pointee.indexed.store(pointee.indexed.load(ordering: .relaxed), ordering: .relaxed)
    new.pointee.seen.store(pointee.seen.load(ordering: .relaxed), ordering: .relaxed)
    return new
  }

  // MARK: All of it

  /// At least as many as there are keys.
  var slotCount: Int { pointee.mask / 2 + 1 }

  /// Visits every key's newest record, in no order.
  func forEachRecord(_ body: (Frame, Int) -> Void) {
    for i in 0...pointee.mask {
      let slot = pointee.slots[i].load(ordering: .acquiring)
      if slot == 0 || slot & View.ghostBit != 0 { continue }
      let offset = Int(slot & 0x7FFF_FFFF) << 3
      body(Frame(pointee.base + offset), offset)
    }
  }

  func forEachGhost(_ body: (View.Ghost) -> Void) {
    for i in 0...pointee.mask {
      let slot = pointee.slots[i].load(ordering: .acquiring)
      if slot & View.ghostBit != 0 { body(pointee.ghost(ofSlot: slot)) }
    }
  }
}
