extension OrderedDictionary.Table {
  /// After every change, where the flag asks for it; what the type says about speed does not hold then.
  @inlinable @inline(__always)
  func check() {
    #if SATCHEL_CHECKS
    if let fault = fault() { fatalError("ordered dictionary: \(fault)") }
    #endif
  }

  #if SATCHEL_CHECKS || DEBUG
  /// What is wrong with the table, or nil. O(capacity + slots).
  @usableFromInline
  func fault() -> String? { mapFault() ?? rankFault() ?? slotFault() }

  private func mapFault() -> String? {
    let taken = (0..<live.wordCount * 64).filter { live.isTaken($0) }
    if taken.count != live.count { return "\(taken.count) places are taken, \(live.count) counted" }
    if live.head != taken.first ?? 0 { return "the head is not the first place" }
    if live.end != (taken.last ?? -1) + 1 { return "the end is not behind the last place" }
    return live.end > live.capacity ? "places beyond the capacity" : nil
  }

  private func rankFault() -> String? {
    guard live.hasRanks else { return nil }
    for node in 1...live.wordCount {
      let words = (node - (node & -node)..<node).map { live.words[$0].nonzeroBitCount }
      if Int(live.ranks[node]) != words.reduce(0, +) { return "rank \(node) is wrong" }
    }
    return nil
  }

  private func slotFault() -> String? {
    guard !slots.isAbsent else { return live.count > Self.scanLimit ? "no slots" : nil }
    if live.count > slots.limit { return "too many slots are full" }
    let full = (0...slots.mask).filter { slots[$0] != 0 }
    if full.count != live.count { return "\(full.count) slots for \(live.count) entries" }
    for slot in full {
      let (index, tag) = (SlotTable.index(slots[slot]), SlotTable.tag(slots[slot]))
      guard index < live.capacity, live.isTaken(index) else { return "slot \(slot) names a free place" }
      if Self.tag(of: entries[index].key) != tag { return "slot \(slot) has another tag" }
      var path = slots.home(of: tag)
      while path != slot {
        if slots[path] == 0 { return "slot \(slot) cannot be reached" }
        path = slots.slot(after: path)
      }
    }
    return nil
  }
  #endif
}

#if SATCHEL_CHECKS || DEBUG
extension OrderedDictionary {
  /// What is wrong with the dictionary, or nil: for its tests. O(n).
  package func fault() -> String? { read { $0.fault() } ?? nil }
}
#endif
