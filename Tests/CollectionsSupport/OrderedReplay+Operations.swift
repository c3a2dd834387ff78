import SatchelCollections

extension OrderedReplay {
  enum Operation: UInt8, CaseIterable {
    case update, set, remove, unset, append, replaceKey
    case modify, modifyDefault, modifyValue, swapValues
    case moveToEnd, moveToStart, move, insert, updateInserting, swapAt
    case removeAt, popFirst, popLast, removeSubrange, removeWhere, removeSome, removeAll
    case reverse, sort, sortThrowing, shuffle, partition
    case compact, reserve, copy, filter, mapValues, merge
  }

  mutating func perform(_ operation: Operation) {
    switch operation {
    case .update, .set, .remove, .unset, .append, .replaceKey: performOnKey(operation)
    case .modify, .modifyDefault, .modifyValue, .swapValues: performInPlace(operation)
    case .moveToEnd, .moveToStart, .move, .insert, .updateInserting, .swapAt: performMove(operation)
    case .removeAt, .popFirst, .popLast, .removeSubrange, .removeWhere, .removeSome, .removeAll:
      performRemoval(operation)
    case .reverse, .sort, .sortThrowing, .shuffle, .partition: performOrdering(operation)
    case .compact, .reserve, .copy, .filter, .mapValues, .merge: performOnAll(operation)
    }
  }

  private mutating func performOnKey(_ operation: Operation) {
    let key = key()
    switch operation {
    case .set:
      subjects[which][key] = Tracked(steps)
      _ = models[which].update(steps, key)
    case .unset:
      subjects[which][key] = nil
      _ = models[which].remove(key)
    case .remove:
      let removed = subjects[which].removeValue(forKey: key)
      check(removed?.number == models[which].remove(key), "remove")
    case .append:
      let isNew = models[which].position(of: key) == nil
      check(subjects[which].append(Tracked(steps), forKey: key) == isNew, "append")
      if isNew { _ = models[which].update(steps, key) }
    case .replaceKey:
      let new = self.key()
      let position = models[which].position(of: new) == nil ? models[which].position(of: key) : nil
      check(subjects[which].replaceKey(key, with: new) == (position != nil), "replaceKey")
      if let position { models[which].pairs[position].key = new }
    default:
      let old = subjects[which].updateValue(Tracked(steps), forKey: key)
      check(old?.number == models[which].update(steps, key), "update")
    }
  }

  /// Through accessors that lend what they change.
  private mutating func performInPlace(_ operation: Operation) {
    let key = key()
    switch operation {
    case .modify:
      let wanted = byte() & 1 == 0 ? steps : nil
      modify(&subjects[which][key], wanted)
      if let wanted { _ = models[which].update(wanted, key) } else { _ = models[which].remove(key) }
    case .modifyDefault:
      add(1, to: &subjects[which][key, default: Tracked(0)])
      _ = models[which].update((models[which].position(of: key).map { models[which].pairs[$0].value } ?? 0) + 1, key)
    case .modifyValue:
      guard !models[which].pairs.isEmpty else { return }
      let position = position()
      add(1, to: &subjects[which].values[position])
      models[which].pairs[position].value += 1
    default:
      guard !models[which].pairs.isEmpty else { return }
      let (first, second) = (position(), position())
      subjects[which].values.swapAt(first, second)
      let value = models[which].pairs[first].value
      models[which].pairs[first].value = models[which].pairs[second].value
      models[which].pairs[second].value = value
    }
  }

  private func modify(_ value: inout Tracked?, _ number: Int?) { value = number.map { Tracked($0) } }
  private func add(_ number: Int, to value: inout Tracked) { value = Tracked(value.number + number) }

  private mutating func performMove(_ operation: Operation) {
    let key = key()
    let count = models[which].pairs.count
    switch operation {
    case .moveToEnd: check(subjects[which].moveToEnd(key) == models[which].move(key, toEnd: true), "moveToEnd")
    case .moveToStart: check(subjects[which].moveToStart(key) == models[which].move(key, toEnd: false), "moveToStart")
    case .insert:
      let position = number() % (count + 1)
      let isNew = models[which].position(of: key) == nil
      check(subjects[which].insert(Tracked(steps), forKey: key, at: position) == isNew, "insert")
      if isNew { _ = models[which].update(steps, key, insertingAt: position) }
    case .updateInserting:
      let position = number() % (count + 1)
      let old = subjects[which].updateValue(Tracked(steps), forKey: key, insertingAt: position)
      check(old?.number == models[which].update(steps, key, insertingAt: position), "update, inserting")
    case .move where count > 0:
      let (source, target) = (position(), position())
      subjects[which].move(from: source, to: target)
      models[which].pairs.insert(models[which].pairs.remove(at: source), at: target)
    case .swapAt where count > 0:
      let (first, second) = (position(), position())
      subjects[which].swapAt(first, second)
      models[which].pairs.swapAt(first, second)
    default: break
    }
  }

  private mutating func performRemoval(_ operation: Operation) {
    let count = models[which].pairs.count
    switch operation {
    case .removeAt where count > 0:
      let position = position()
      let removed = subjects[which].remove(at: position)
      let pair = models[which].pairs.remove(at: position)
      check(removed.key == pair.key && removed.value.number == pair.value, "remove at a position")
    case .popFirst:
      let removed = subjects[which].popFirst()
      let pair = models[which].pairs.isEmpty ? nil : models[which].pairs.removeFirst()
      check(removed?.key == pair?.key && removed?.value.number == pair?.value, "popFirst")
    case .popLast:
      let removed = subjects[which].popLast()
      let pair = models[which].pairs.popLast()
      check(removed?.key == pair?.key && removed?.value.number == pair?.value, "popLast")
    case .removeSubrange:
      let start = number() % (count + 1)
      let end = min(count, start + Int(byte() & 15))
      subjects[which].removeSubrange(start..<end)
      models[which].pairs.removeSubrange(start..<end)
    case .removeWhere:
      let divisor = Int(byte() & 7) + 2
      subjects[which].removeAll { $0.value.number % divisor == 0 }
      models[which].pairs.removeAll { $0.value % divisor == 0 }
    case .removeSome: removeUntilThrown()
    case .removeAll where byte() & 7 == 0:
      subjects[which].removeAll(keepingCapacity: byte() & 1 == 0)
      models[which].pairs = []
    default: break
    }
  }

  /// Every second entry, as far as a closure that throws lets it.
  private mutating func removeUntilThrown() {
    let limit = Int(byte())
    var asked = 0
    try? subjects[which].removeAll { _ throws(Stop) in
      asked += 1
      if asked > limit { throw Stop() }
      return asked % 2 == 0
    }
    models[which].pairs = models[which].pairs.enumerated().filter { $0.offset >= limit || $0.offset % 2 == 0 }.map(
      \.element)
  }

  private mutating func performOrdering(_ operation: Operation) {
    guard byte() & 3 == 0 else { return }
    switch operation {
    case .reverse:
      subjects[which].reverse()
      models[which].pairs.reverse()
    case .sort:
      subjects[which].sort()
      models[which].pairs.sort { $0.key < $1.key }
    case .sortThrowing:
      var rest = Int(byte())
      try? subjects[which].sort { left, right throws(Stop) in
        rest -= 1
        if rest < 0 { throw Stop() }
        return left.value.number > right.value.number
      }
      followOrder()
    case .shuffle:
      subjects[which].shuffle()
      followOrder()
    default:
      let border = subjects[which].partition { $0.value.number % 2 == 0 }
      followOrder()
      let sorted = models[which].pairs.enumerated().allSatisfy { ($0.offset >= border) == ($0.element.value % 2 == 0) }
      check(sorted, "partition")
    }
  }

  /// The model takes the order of the subject, after it was seen that nothing came or went.
  private mutating func followOrder() {
    let pairs = subjects[which].map { (key: $0.key, value: $0.value.number) }
    let same = pairs.sorted { $0.key < $1.key }.elementsEqual(models[which].pairs.sorted { $0.key < $1.key }) {
      $0 == $1
    }
    check(same, "another order has other entries")
    models[which].pairs = pairs
  }

  private mutating func performOnAll(_ operation: Operation) {
    switch operation {
    case .compact: subjects[which].compact()
    case .reserve: subjects[which].reserveCapacity(number() & 1023)
    case .copy:
      subjects[which] = subjects[1 - which]
      models[which] = models[1 - which]
      check(subjects[0] == subjects[1] && subjects[0].isEqualIgnoringOrder(subjects[1]), "a copy is not equal")
    case .filter:
      subjects[which] = subjects[which].filter { $0.value.number % 3 != 0 }
      models[which].pairs = models[which].pairs.filter { $0.value % 3 != 0 }
    case .mapValues:
      subjects[which] = subjects[which].mapValues { Tracked($0.number + 1) }
      models[which].pairs = models[which].pairs.map { ($0.key, $0.value + 1) }
    default:
      subjects[which].merge(subjects[1 - which]) { Tracked($0.number ^ $1.number) }
      for (key, value) in models[1 - which].pairs {
        let old = models[which].position(of: key).map { models[which].pairs[$0].value }
        _ = models[which].update(old.map { $0 ^ value } ?? value, key)
      }
    }
  }
}
