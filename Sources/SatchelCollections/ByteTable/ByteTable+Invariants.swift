// Compiled in by -DSATCHEL_CHECKS, which makes every change O(n), and for tests in debug builds.

extension UnsafeMutablePointer where Pointee == ByteTable {
  /// Called at the end of each change.
  @inline(__always)
  func check() {
    #if SATCHEL_CHECKS
    precondition(brokenInvariant == nil, brokenInvariant ?? "")
    #endif
  }

  #if DEBUG || SATCHEL_CHECKS
  /// What is not as it must be; nil where all is well. O(room).
  public var brokenInvariant: String? { brokenBounds ?? brokenEntry ?? brokenSlots ?? brokenRanks ?? brokenCursor }

  private var brokenBounds: String? {
    let live = pointee.live
    guard 0 <= live.head, live.head <= live.end, live.end <= live.capacity else { return "bounds out of order" }
    guard pointee.untouched >= live.end || live.count == 0 else { return "a place given away was never touched" }
    let all = (0..<live.wordCount).reduce(0) { $0 + live.words[$1].nonzeroBitCount }
    guard all == live.count else { return "\(all) live places, count \(live.count)" }
    guard live.count > 0 else { return live.end == 0 ? nil : "an empty table with bounds" }
    guard live.isTaken(live.head), live.isTaken(live.end - 1) else { return "a bound is not live" }
    let within = (live.head..<live.end).count { live.isTaken($0) }
    return within == live.count ? nil : "live beyond the bounds"
  }

  private var brokenEntry: String? {
    var nested = 0
    for place in pointee.live.head..<pointee.live.end {
      let entry = pointee.entries[place]
      guard pointee.live.isTaken(place) else {
        if entry.meta != ByteEntry.dead { return "\(place) is dead and does not say so" }
        continue
      }
      if entry.key.load(fromByteOffset: entry.count, as: UInt8.self) != 0 { return "the key of \(place) has no end" }
      if index(of: entry.key, entry.count) != place { return "the key of \(place) is not found there" }
      if !pointee.slots.isAbsent, entry.tag != tag(entry.key, entry.count) { return "the tag of \(place) is wrong" }
      if entry.value.kind == .table {
        nested += 1
        if entry.value.table?.pointee.parent != self { return "what is nested in \(place) has another parent" }
      }
    }
    return nested == pointee.nestedCount ? nil : "\(nested) nested, said to be \(pointee.nestedCount)"
  }

  private var brokenSlots: String? {
    let slots = pointee.slots
    guard !slots.isAbsent else { return pointee.count <= ByteTable.fewest ? nil : "no slots" }
    guard (slots.mask + 1).nonzeroBitCount == 1, pointee.count <= slots.limit else { return "the slots' size" }
    let used = (0...slots.mask).count { slots[$0] != 0 }
    // Every entry has been found through one, so there are no others.
    return used == pointee.count ? nil : "\(used) slots used for \(pointee.count) entries"
  }

  private var brokenRanks: String? {
    guard pointee.live.hasRanks else { return nil }
    var position = 0
    for place in pointee.live.head..<pointee.live.end where pointee.live.isTaken(place) {
      if self.position(of: place) != position { return "the rank of \(place) is wrong" }
      if self.place(at: position) != place { return "position \(position) is elsewhere" }
      position += 1
    }
    return nil
  }

  private var brokenCursor: String? {
    var next = pointee.cursors
    while let cursor = next {
      next = cursor.pointee.next
      if next?.pointee.previous.map({ $0 != cursor }) == true { return "the cursors are not a list" }
      if cursor.pointee.table != self { return "a cursor of another table" }
      let place = cursor.pointee.place
      switch cursor.pointee.state {
      case .fresh: continue
      case .at where !(pointee.live.head..<pointee.live.end).contains(place) || !pointee.live.isTaken(place):
        return "a cursor at no entry"
      case .between where !(pointee.live.head...pointee.live.end).contains(place): return "a cursor beyond the bounds"
      default: continue
      }
    }
    return nil
  }
  #endif
}
