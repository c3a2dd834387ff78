import CSatchelSystem
import Glibc

/// Where a key is, or -1; and its tag where there are slots.
public struct ByteFinding {
  public let index: Int
  let tag: UInt32
}

extension UnsafeMutablePointer where Pointee == ByteTable {
  /// The place of a key. O(1).
  @inline(__always)
  func find(_ key: UnsafeRawPointer, _ count: Int) -> ByteFinding {
    guard let slots = pointee.slots else { return ByteFinding(index: scan(key, count), tag: 0) }
    let tag = tag(key, count)
    let mask = pointee.slotMask
    let entries = pointee.entries
    var p = Int(tag) & mask
    while true {
      let slot = slots[p]
      if slot == 0 { return ByteFinding(index: -1, tag: tag) }
      if UInt32(truncatingIfNeeded: slot >> 32) == tag {
        let i = ByteTable.index(slot)
        if entries[i].hasKey(key, count) { return ByteFinding(index: i, tag: tag) }
      }
      p = (p &+ 1) & mask
    }
  }

  /// The place of a key, or -1. O(1).
  public func index(of key: UnsafeRawPointer, _ count: Int) -> Int { find(key, count).index }

  /// What a key holds. O(1).
  public func value(of key: UnsafeRawPointer, _ count: Int) -> ByteValue? {
    let place = find(key, count).index
    return place < 0 ? nil : pointee.entries[place].value
  }

  @inline(__always)
  private func scan(_ key: UnsafeRawPointer, _ count: Int) -> Int {
    var i = pointee.head
    while i < pointee.end {
      if pointee.entries[i].hasKey(key, count) { return i }
      i &+= 1
    }
    return -1
  }

  @inline(__always)
  func tag(_ key: UnsafeRawPointer, _ count: Int) -> UInt32 {
    let tag = UInt32(truncatingIfNeeded: scs_hash(pointee.seed, key, count) >> 32)
    #if DEBUG || SATCHEL_CHECKS
    return tag & pointee.tagMask
    #else
    return tag
    #endif
  }

  /// The place of position `position`, which is below the count; nil where there is no memory for the ranks. O(1), or O(log n).
  public func place(at position: Int) -> Int? {
    if isDense { return pointee.head + position }
    guard let ranks = builtRanks else { return nil }
    return select(position, ranks)
  }

  /// The ends of a table that is not empty.
  public var firstPlace: Int { pointee.head }
  public var lastPlace: Int { pointee.end - 1 }

  /// What the entry at a place holds.
  public func key(at place: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: pointee.entries[place].key, count: pointee.entries[place].count)
  }

  public func value(at place: Int) -> ByteValue { pointee.entries[place].value }

  /// Who destroys the pointer there.
  public func owner(of value: ByteValue) -> ByteOwner? { value.owner(pointee.owner) }
}

// MARK: Slots

extension ByteTable {
  @inline(__always)
  static func index(_ slot: UInt64) -> Int { Int(UInt32(truncatingIfNeeded: slot)) &- 1 }

  @inline(__always)
  static func slot(_ tag: UInt32, _ index: Int) -> UInt64 { UInt64(tag) << 32 | UInt64(index &+ 1) }
}

extension UnsafeMutablePointer where Pointee == ByteTable {
  /// The slot that leads to a place; nil where there are none.
  @inline(__always)
  func slot(of place: Int) -> UnsafeMutablePointer<UInt64>? {
    guard let slots = pointee.slots else { return nil }
    let wanted = ByteTable.slot(pointee.entries[place].tag, place)
    var p = Int(pointee.entries[place].tag) & pointee.slotMask
    while slots[p] != wanted { p = (p &+ 1) & pointee.slotMask }
    return slots + p
  }

  @inline(__always)
  func putSlot(_ slot: UInt64) {
    guard let slots = pointee.slots else { return }
    var p = Int(slot >> 32) & pointee.slotMask
    while slots[p] != 0 { p = (p &+ 1) & pointee.slotMask }
    slots[p] = slot
  }

  /// Empties the slot of a place; those behind it that may stand nearer to where they belong move back.
  @inline(__always)
  func eraseSlot(of place: Int) {
    guard let slots = pointee.slots, let slot = slot(of: place) else { return }
    let mask = pointee.slotMask
    var hole = slot - slots
    var p = (hole &+ 1) & mask
    while slots[p] != 0 {
      let home = Int(slots[p] >> 32) & mask
      if (p &- home) & mask >= (p &- hole) & mask {
        slots[hole] = slots[p]
        hole = p
      }
      p = (p &+ 1) & mask
    }
    slots[hole] = 0
  }
}
