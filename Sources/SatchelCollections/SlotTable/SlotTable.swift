import Glibc

/// A hash table from 32-bit tags to places of entries, which lie elsewhere and hold the keys.
///
/// A slot is one word: the tag above, the place plus one below, 0 when free. A search starts at the tag's low bits and goes on slot by
/// slot. An entry that goes is closed over by those behind it, so there are no tombstones: however often entries come and go, a search
/// is as short as the number of entries allows. Nothing here ever looks at a key.
///
/// Without memory (`isAbsent`) the owner has so few entries that it looks at each.
@usableFromInline
struct SlotTable {
  @usableFromInline var words: UnsafeMutablePointer<UInt64>?
  /// The number of slots, a power of two, minus one.
  @usableFromInline var mask = -1

  @inlinable init() {}

  @inlinable var isAbsent: Bool { words == nil }

  /// The most entries that may be in it: three quarters of the slots.
  @inlinable var limit: Int { ((mask &+ 1) >> 2) &* 3 }

  @inlinable @inline(__always)
  subscript(slot: Int) -> UInt64 { words.unsafelyUnwrapped[slot] }

  @inlinable @inline(__always)
  func home(of tag: UInt32) -> Int { Int(tag) & mask }

  @inlinable @inline(__always)
  func slot(after slot: Int) -> Int { (slot &+ 1) & mask }

  /// The slot of an entry that is in the table. O(1) expected.
  @inlinable
  func slot(of index: Int, tag: UInt32) -> Int {
    let word = Self.word(tag, index)
    var slot = home(of: tag)
    while self[slot] != word { slot = self.slot(after: slot) }
    return slot
  }

  @inlinable @inline(__always)
  static func word(_ tag: UInt32, _ index: Int) -> UInt64 { UInt64(tag) << 32 | UInt64(truncatingIfNeeded: index &+ 1) }

  @inlinable @inline(__always)
  static func tag(_ word: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: word >> 32) }

  @inlinable @inline(__always)
  static func index(_ word: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: word)) &- 1 }
}

extension SlotTable {
  /// Enters a place under a tag; `slot` is where the search for it may begin. The owner sees to the limit. O(1) expected.
  @inlinable @inline(__always)
  func insert(_ index: Int, tag: UInt32, from slot: Int) {
    var slot = slot
    while self[slot] != 0 { slot = self.slot(after: slot) }
    words.unsafelyUnwrapped[slot] = Self.word(tag, index)
  }

  /// Another place for the entry of a slot. O(1).
  @inlinable @inline(__always)
  func update(_ slot: Int, to index: Int) {
    words.unsafelyUnwrapped[slot] = self[slot] & ~0xffff_ffff | UInt64(truncatingIfNeeded: index &+ 1)
  }

  /// Frees a slot and moves those behind it up, each as far as its home allows. O(1) expected.
  @inlinable @inline(__always)
  func erase(_ slot: Int) {
    let words = words.unsafelyUnwrapped
    var (hole, next) = (slot, self.slot(after: slot))
    while words[next] != 0 {
      let home = home(of: Self.tag(words[next]))
      if (next &- home) & mask >= (next &- hole) & mask {
        words[hole] = words[next]
        hole = next
      }
      next = self.slot(after: next)
    }
    words[hole] = 0
  }

  static func slotCount(for count: Int) -> Int {
    var slots = 16
    while slots / 4 * 3 < count { slots *= 2 }
    return slots
  }

  @usableFromInline
  static func byteCount(for count: Int) -> Int { slotCount(for: count) * MemoryLayout<UInt64>.stride }

  @inlinable
  var byteCount: Int { (mask &+ 1) * MemoryLayout<UInt64>.stride }

  /// Slots for that many entries, all free; nil where there is no memory for them.
  init?(for count: Int) {
    let slots = Self.slotCount(for: count)
    guard let memory = calloc(slots, MemoryLayout<UInt64>.stride) else { return nil }
    words = memory.bindMemory(to: UInt64.self, capacity: slots)
    mask = slots - 1
  }

  /// Slots for that many entries, all free; what was in it is gone.
  @usableFromInline
  mutating func reset(for count: Int) {
    release()
    guard let fresh = SlotTable(for: count) else { fatalError("out of memory") }
    self = fresh
  }

  /// Room for that many. Reads the slots in their order and never touches a key. O(slots).
  @usableFromInline
  mutating func grow(for count: Int) {
    if !resize(for: count) { fatalError("out of memory") }
  }

  /// As many slots as that many need, more or fewer than there are; false, and nothing changed, where there is no memory for them.
  mutating func resize(for count: Int) -> Bool {
    guard let fresh = SlotTable(for: count) else { return false }
    for slot in 0..<mask + 1 where self[slot] != 0 {
      let tag = Self.tag(self[slot])
      fresh.insert(Self.index(self[slot]), tag: tag, from: fresh.home(of: tag))
    }
    release()
    self = fresh
    return true
  }

  /// The same slots in memory of its own.
  @usableFromInline
  func copy() -> SlotTable {
    guard let words else { return self }
    var copy = self
    guard let memory = malloc((mask + 1) * MemoryLayout<UInt64>.stride) else { fatalError("out of memory") }
    copy.words = memory.bindMemory(to: UInt64.self, capacity: mask + 1)
    copy.words.unsafelyUnwrapped.initialize(from: words, count: mask + 1)
    return copy
  }

  @usableFromInline
  mutating func release() {
    free(words)
    words = nil
    mask = -1
  }
}

extension SlotTable {
  /// A new place for each entry. O(slots).
  @inlinable @inline(__always)
  func renumber(_ place: (Int) -> Int) {
    guard let words else { return }
    for slot in 0...mask where words[slot] != 0 { update(slot, to: place(Self.index(words[slot]))) }
  }

  /// Places as they are after packing: as many as live before each, from `head` on. O(slots).
  @usableFromInline
  func renumber(packing live: LiveMap, from head: Int) {
    guard !isAbsent else { return }
    if live.isDense {
      guard live.head != head else { return }
      renumber { $0 - live.head + head }
    } else {
      live.countBeforeWords()
      renumber { live.packedPosition(of: $0) + head }
    }
  }
}
