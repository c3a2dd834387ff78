import CSatchelSystem
import Glibc
import SatchelSystem

extension UnsafeMutablePointer where Pointee == ByteTable {
  /// nil where there is no memory for it. `seed` 0: a random one.
  public static func make(seed: UInt64 = 0) -> ByteTablePointer? {
    guard let arrays = Arrays(room: ByteTable.fewest) else { return nil }
    guard let memory = malloc(MemoryLayout<ByteTable>.size) else {
      arrays.free()
      return nil
    }
    let table = memory.assumingMemoryBound(to: ByteTable.self)
    let chance = scs_fresh_seed()
    table.initialize(
      to: ByteTable(
        entries: arrays.entries, live: arrays.live, room: arrays.room, seed: seed == 0 ? chance : seed, epoch: chance))
    return table
  }

  /// Frees it with all that it owns. Nothing where that has begun already, or where an entry owns it.
  public func destroy() {
    guard !pointee.isDying, pointee.parent == nil else { return }
    pointee.isDying = true
    detachCursors()
    let contents = contents
    Glibc.free(pointee.slots)
    Glibc.free(pointee.ranks)
    forget()
    contents.release()
    Glibc.free(self)
  }

  /// O(n).
  public func clear() -> SatchelError.Code? {
    guard pointee.count > 0 else { return nil }
    guard let fresh = Arrays(room: ByteTable.fewest) else { return .noMemory }
    let contents = contents
    Glibc.free(pointee.slots)
    forget()
    adopt(fresh)
    dropRanks()
    rewindCursors()
    pointee.epoch &+= 1
    pointee.untouched = 0
    check()
    contents.release()
    return nil
  }

  /// As if there had never been an entry, without a place for one.
  private func forget() {
    pointee.slots = nil
    pointee.slotMask = 0
    pointee.slotRoom = ByteTable.fewest
    pointee.room = 0
    pointee.head = 0
    pointee.end = 0
    pointee.count = 0
    pointee.nestedCount = 0
    pointee.owner = nil
  }

  func adopt(_ arrays: Arrays) {
    pointee.entries = arrays.entries
    pointee.live = arrays.live
    pointee.room = arrays.room
  }

  // MARK: Contents

  private var contents: Contents {
    let arrays = Arrays(entries: pointee.entries, live: pointee.live, room: pointee.room)
    return Contents(arrays: arrays, places: pointee.head..<pointee.end, owner: pointee.owner)
  }

  /// What a table held, and does no longer.
  private struct Contents {
    let arrays: Arrays
    let places: Range<Int>
    let owner: ByteOwner?

    func release() {
      for i in places where arrays.live[i >> 6] & 1 << UInt64(i & 63) != 0 {
        let entry = arrays.entries[i]
        Glibc.free(entry.key)
        entry.value.release(owner)
      }
      arrays.free()
    }
  }

  /// The places of a table.
  struct Arrays {
    let entries: UnsafeMutablePointer<ByteEntry>
    let live: UnsafeMutablePointer<UInt64>
    let room: Int

    init(entries: UnsafeMutablePointer<ByteEntry>, live: UnsafeMutablePointer<UInt64>, room: Int) {
      self.entries = entries
      self.live = live
      self.room = room
    }

    init?(room: Int) {
      guard let entries = malloc(room * MemoryLayout<ByteEntry>.stride) else { return nil }
      guard let live = calloc(ByteTable.words(room), 8) else {
        Glibc.free(entries)
        return nil
      }
      self.init(
        entries: entries.assumingMemoryBound(to: ByteEntry.self), live: live.assumingMemoryBound(to: UInt64.self),
        room: room)
    }

    func free() {
      Glibc.free(entries)
      Glibc.free(live)
    }
  }
}

extension ByteTable {
  /// The words of `live` for so many places.
  static func words(_ room: Int) -> Int { (room + 63) >> 6 }
}
