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
        entries: arrays.entries, live: arrays.live, seed: seed == 0 ? chance : seed, epoch: chance))
    #if SATCHEL_CHECKS
    // So that keys collide in what is tried through C as well.
    if (1..<32).contains(seed) { table.pointee.tagMask = 1 << UInt32(seed) - 1 }
    #endif
    return table
  }

  /// Frees it with all that it owns. Nothing where that has begun already, or where an entry owns it.
  public func destroy() {
    guard !pointee.isDying, pointee.parent == nil else { return }
    pointee.isDying = true
    detachCursors()
    let contents = contents
    forget()
    contents.release()
    Glibc.free(self)
  }

  /// O(n).
  public func clear() -> SatchelError.Code? {
    guard pointee.count > 0 else { return nil }
    guard let fresh = Arrays(room: ByteTable.fewest) else { return .noMemory }
    let contents = contents
    forget()
    adopt(fresh)
    rewindCursors()
    pointee.epoch &+= 1
    pointee.untouched = 0
    check()
    contents.release()
    return nil
  }

  /// As if there had never been an entry. The places are the caller's now.
  private func forget() {
    pointee.slots.release()
    pointee.live = LiveMap(emptied: pointee.live)
    pointee.nestedCount = 0
    pointee.owner = nil
  }

  func adopt(_ arrays: Arrays) {
    pointee.entries = arrays.entries
    pointee.live = arrays.live
  }

  // MARK: Contents

  private var contents: Contents {
    Contents(arrays: Arrays(entries: pointee.entries, live: pointee.live), owner: pointee.owner)
  }

  /// What a table held, and does no longer.
  private struct Contents {
    let arrays: Arrays
    let owner: ByteOwner?

    func release() {
      let live = arrays.live
      var place = live.head
      while place < live.end {
        let entry = arrays.entries[place]
        Glibc.free(entry.key)
        entry.value.release(owner)
        place = live.next(after: place)
      }
      arrays.free()
    }
  }

  /// The places of a table.
  struct Arrays {
    let entries: UnsafeMutablePointer<ByteEntry>
    var live: LiveMap

    init(entries: UnsafeMutablePointer<ByteEntry>, live: LiveMap) {
      self.entries = entries
      self.live = live
    }

    init?(room: Int) {
      guard let entries = malloc(room * MemoryLayout<ByteEntry>.stride) else { return nil }
      guard let live = LiveMap(room: room) else {
        Glibc.free(entries)
        return nil
      }
      self.init(entries: entries.assumingMemoryBound(to: ByteEntry.self), live: live)
    }

    func free() {
      Glibc.free(entries)
      Glibc.free(live.words)
    }
  }
}

extension LiveMap {
  /// In memory of its own, which is freed as its words; nil where there is none.
  init?(room: Int) {
    guard let memory = malloc(LiveMap.byteCount(capacity: room)) else { return nil }
    self.init(in: memory, capacity: room)
  }

  /// Neither places nor any taken; the other one goes on in the memory.
  fileprivate init(emptied other: LiveMap) {
    self = other
    capacity = 0
    head = 0
    end = 0
    count = 0
  }
}
