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
    let table = pointee
    guard 0 <= table.head, table.head <= table.end, table.end <= table.room else { return "bounds out of order" }
    guard table.untouched >= table.end || table.count == 0 else { return "a place given away was never touched" }
    let all = (0..<ByteTable.words(table.room)).reduce(0) { $0 + table.live[$1].nonzeroBitCount }
    guard all == table.count else { return "\(all) live places, count \(table.count)" }
    guard table.count > 0 else { return table.end == 0 ? nil : "an empty table with bounds" }
    guard isLive(table.head), isLive(table.end - 1) else { return "a bound is not live" }
    let within = (table.head..<table.end).count { isLive($0) }
    return within == table.count ? nil : "live beyond the bounds"
  }

  private var brokenEntry: String? {
    var nested = 0
    for place in pointee.head..<pointee.end {
      let entry = pointee.entries[place]
      guard isLive(place) else {
        if entry.meta != ByteEntry.dead { return "\(place) is dead and does not say so" }
        continue
      }
      if entry.key.load(fromByteOffset: entry.count, as: UInt8.self) != 0 { return "the key of \(place) has no end" }
      if index(of: entry.key, entry.count) != place { return "the key of \(place) is not found there" }
      if pointee.slots != nil, entry.tag != tag(entry.key, entry.count) { return "the tag of \(place) is wrong" }
      if entry.value.kind == .table {
        nested += 1
        if entry.value.table?.pointee.parent != self { return "what is nested in \(place) has another parent" }
      }
    }
    return nested == pointee.nestedCount ? nil : "\(nested) nested, said to be \(pointee.nestedCount)"
  }

  private var brokenSlots: String? {
    guard let slots = pointee.slots else { return pointee.count <= ByteTable.fewest ? nil : "no slots" }
    let size = pointee.slotMask + 1
    guard size.nonzeroBitCount == 1, pointee.slotRoom <= size / 4 * 3 else { return "the slots' size" }
    let used = (0..<size).count { slots[$0] != 0 }
    // Every entry has been found through one, so there are no others.
    return used == pointee.count ? nil : "\(used) slots used for \(pointee.count) entries"
  }

  private var brokenRanks: String? {
    guard pointee.ranks != nil else { return nil }
    var position = 0
    for place in pointee.head..<pointee.end where isLive(place) {
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
      case .at where !(pointee.head..<pointee.end).contains(place) || !isLive(place): return "a cursor at no entry"
      case .between where !(pointee.head...pointee.end).contains(place): return "a cursor beyond the bounds"
      default: continue
      }
    }
    return nil
  }
  #endif
}
