extension OrderedDictionary.Table {
  /// Puts an entry at a position, `0 ... count`.
  @inlinable
  mutating func insert(_ key: Key, _ value: Value, at position: Int, _ finding: Finding) {
    if position == 0 {
      prepend(key, value, finding)
    } else {
      let index = append(key, value, finding)
      if position < live.count - 1 { move(from: live.position(of: index), to: position) }
    }
  }

  /// Moves an entry from one position to another.
  @inlinable
  mutating func move(from source: Int, to target: Int) {
    guard source != target else { return }
    closeHoles()
    let (source, target) = (live.head + source, live.head + target)
    let step = source < target ? -1 : 1
    let between = source < target ? source + 1...target : target...source - 1
    let element = (entries + source).move()
    (entries + between.lowerBound + step).moveInitialize(from: entries + between.lowerBound, count: between.count)
    (entries + target).initialize(to: element)
    slots.renumber { $0 == source ? target : between.contains($0) ? $0 + step : $0 }
  }

  /// Lets the closure put the entries into another order; the slots follow, even when it throws.
  @inlinable
  mutating func rearrange<Result>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    closeHoles()
    defer { if !slots.isAbsent { rehash(for: live.count) } }
    var buffer = UnsafeMutableBufferPointer(start: entries + live.head, count: live.count)
    return try body(&buffer)
  }
}
