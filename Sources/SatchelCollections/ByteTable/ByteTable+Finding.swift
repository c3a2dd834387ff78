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
    let slots = pointee.slots
    if slots.isAbsent { return ByteFinding(index: scan(key, count), tag: 0) }
    let tag = tag(key, count)
    let entries = pointee.entries
    var slot = slots.home(of: tag)
    while slots[slot] != 0 {
      if SlotTable.tag(slots[slot]) == tag {
        let place = SlotTable.index(slots[slot])
        if entries[place].hasKey(key, count) { return ByteFinding(index: place, tag: tag) }
      }
      slot = slots.slot(after: slot)
    }
    return ByteFinding(index: -1, tag: tag)
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
    var i = pointee.live.head
    while i < pointee.live.end {
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

  /// The place of the entry at a position, which is below the count. O(1), or O(log n).
  public func place(at position: Int) -> Int { pointee.live.place(at: position) }

  /// The position of the entry in a place. O(1), or O(log n).
  public func position(of place: Int) -> Int { pointee.live.position(of: place) }

  /// The ends of a table that is not empty.
  public var firstPlace: Int { pointee.live.head }
  public var lastPlace: Int { pointee.live.end - 1 }

  /// What the entry at a place holds.
  public func key(at place: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: pointee.entries[place].key, count: pointee.entries[place].count)
  }

  public func value(at place: Int) -> ByteValue { pointee.entries[place].value }

  /// Who destroys the pointer there.
  public func owner(of value: ByteValue) -> ByteOwner? { value.owner(pointee.owner) }
}

// MARK: Places

extension UnsafeMutablePointer where Pointee == ByteTable {
  /// The first taken place from that one on.
  @inline(__always)
  func firstLive(from place: Int) -> Int? {
    let found = pointee.live.next(after: place &- 1)
    return found < pointee.live.end ? found : nil
  }

  @inline(__always)
  func lastLive(before place: Int) -> Int? { pointee.live.previous(before: place) }

  @inline(__always)
  func forEachPlace(_ body: (Int) -> Void) {
    var place = pointee.live.head
    while place < pointee.live.end {
      body(place)
      place = pointee.live.next(after: place)
    }
  }

  /// How many entries the slots, or the lack of them, are good for.
  @inline(__always)
  var slotRoom: Int { pointee.slots.isAbsent ? ByteTable.fewest : pointee.slots.limit }

  @inline(__always)
  func enter(_ place: Int, _ tag: UInt32) {
    if !pointee.slots.isAbsent { pointee.slots.insert(place, tag: tag, from: pointee.slots.home(of: tag)) }
  }

  /// The key of an entry leads to another place from now on.
  @inline(__always)
  func lead(_ place: Int, to other: Int) {
    if pointee.slots.isAbsent { return }
    pointee.slots.update(pointee.slots.slot(of: place, tag: pointee.entries[place].tag), to: other)
  }

  /// The key of an entry leads nowhere from now on.
  @inline(__always)
  func leave(_ place: Int) {
    if pointee.slots.isAbsent { return }
    pointee.slots.erase(pointee.slots.slot(of: place, tag: pointee.entries[place].tag))
  }
}
