extension OrderedDictionary.Table {
  /// Puts an entry behind the last one; `finding` is the search that did not find its key. O(1) amortised.
  @inlinable @inline(__always)
  mutating func append(_ key: Key, _ value: Value, _ finding: Finding) -> Int {
    if live.end == live.capacity { makeRoom(atStart: false) }
    let index = live.append()
    (entries + index).initialize(to: (key, value))
    enter(index, finding)
    return index
  }

  /// Puts an entry before the first one. O(1) amortised.
  @inlinable
  mutating func prepend(_ key: Key, _ value: Value, _ finding: Finding) {
    if live.head == 0, live.count > 0 { makeRoom(atStart: true) }
    let index = live.prepend()
    (entries + index).initialize(to: (key, value))
    enter(index, finding)
  }

  /// Makes an entry that is already counted one that is found.
  @inlinable @inline(__always)
  mutating func enter(_ index: Int, _ finding: Finding) {
    if live.count <= slots.limit {
      slots.insert(index, tag: finding.tag, from: finding.slot)
    } else {
      enterWithoutRoom(index, finding)
    }
  }

  @inlinable @inline(never)
  mutating func enterWithoutRoom(_ index: Int, _ finding: Finding) {
    if !slots.isAbsent {
      slots.grow(for: live.count)
      slots.insert(index, tag: finding.tag, from: slots.home(of: finding.tag))
    } else if live.count > Self.scanLimit {
      rehash(for: live.count)
    }
  }

  /// Builds the slots anew from the keys, with room for that many. O(n).
  @inlinable
  mutating func rehash(for count: Int) {
    slots.reset(for: count)
    for index in live {
      let tag = Self.tag(of: entries[index].key)
      slots.insert(index, tag: tag, from: slots.home(of: tag))
    }
  }

  /// Takes an entry out; the others stay where they are. O(1) amortised.
  @inlinable @inline(__always)
  mutating func remove(_ finding: Finding) -> Element {
    if !slots.isAbsent { slots.erase(finding.slot) }
    let element = (entries + finding.index).move()
    live.free(finding.index)
    return element
  }

  /// Takes the value out of an entry, which is not whole until `putValue` or `removeWithoutValue`.
  @inlinable
  func takeValue(at index: Int) -> Value { withUnsafeMutablePointer(to: &entries[index].value) { $0.move() } }

  @inlinable
  func putValue(_ value: Value, at index: Int) {
    withUnsafeMutablePointer(to: &entries[index].value) { $0.initialize(to: value) }
  }

  @inlinable
  mutating func removeWithoutValue(_ finding: Finding) {
    if !slots.isAbsent { slots.erase(finding.slot) }
    let key = withUnsafeMutablePointer(to: &entries[finding.index].key) { $0.move() }
    live.free(finding.index)
    withExtendedLifetime(key) {}
  }

  /// Moves an entry behind the last one. O(1) amortised.
  @inlinable
  mutating func moveToEnd(_ finding: Finding) {
    guard finding.index &+ 1 != live.end else { return }
    var index = finding.index
    if live.end == live.capacity {
      let position = live.position(of: index)
      makeRoom(atStart: false)
      index = live.head &+ position
    }
    move(index, to: live.append(), slot: finding.slot)
  }

  /// Moves an entry before the first one. O(1) amortised.
  @inlinable
  mutating func moveToStart(_ finding: Finding) {
    guard finding.index != live.head else { return }
    var index = finding.index
    if live.head == 0 {
      let position = live.position(of: index)
      makeRoom(atStart: true)
      index = live.head &+ position
    }
    move(index, to: live.prepend(), slot: finding.slot)
  }

  @inlinable
  mutating func move(_ index: Int, to target: Int, slot: Int) {
    (entries + target).moveInitialize(from: entries + index, count: 1)
    if !slots.isAbsent { slots.update(slot, to: target) }
    live.free(index)
  }
}
