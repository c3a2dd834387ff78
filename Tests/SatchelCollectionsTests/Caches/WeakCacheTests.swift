import SatchelCollections
import TestSupport
import Testing

@Suite struct WeakCaches {
  @Test func holdsWhatIsHeldElsewhereAndNothingElse() {
    let cache = WeakCache<String, Thing>()
    var thing: Thing? = Thing(1)
    cache["a"] = thing
    withExtendedLifetime(thing) { #expect(cache["a"] === thing && cache.liveCount == 1) }
    thing = nil
    #expect(cache["a"] == nil)
    #expect(cache.liveCount == 0)
    #expect(cache.estimatedCount == 0)
  }

  @Test func setsReplacesAndRemoves() {
    let cache = WeakCache<String, Thing>()
    let (first, second) = (Thing(1), Thing(2))
    withExtendedLifetime((first, second)) {
      cache["a"] = first
      cache["a"] = second
      #expect(cache["a"] === second && cache.liveCount == 1)
      cache["a"] = nil
      #expect(cache["a"] == nil && cache.estimatedCount == 0)
      cache["never"] = nil
      cache["a"] = first
      #expect(cache.removeValue(for: "a") === first)
      #expect(cache.removeValue(for: "a") == nil)
      cache["a"] = first
      cache["b"] = first
      #expect(Set(cache.entries.map(\.key)) == ["a", "b"])
      cache.removeAll()
      #expect(cache.entries.isEmpty && cache["a"] == nil)
    }
  }

  @Test func comparesKeysByEquality() {
    let cache = WeakCache<String, Thing>()
    let thing = Thing()
    withExtendedLifetime(thing) {
      cache["a long key that is no literal \(1)"] = thing
      #expect(cache[["a", "long", "key", "that", "is", "no", "literal", "1"].joined(separator: " ")] === thing)
    }
  }

  @Test func aDeadKeyMayBeUsedAgain() {
    let cache = WeakCache<Int, Thing>()
    for number in 0..<1000 {
      let thing = Thing(number)
      cache[7] = thing
      withExtendedLifetime(thing) { #expect(cache[7]?.number == number) }
    }
    #expect(cache[7] == nil)
  }

  @Test func theDeadTakeNoMoreThanTheirPart() {
    let cache = WeakCache<Int, Thing>()
    for number in 0..<100_000 { cache[number] = Thing(number) }
    // 64 parts with eight places or some more, however many have passed.
    #expect(cache.estimatedCount < 2000)
    let kept = (0..<1000).map { Thing($0) }
    for thing in kept { cache[thing.number] = thing }
    cache.removeExpired()
    withExtendedLifetime(kept) { #expect(cache.estimatedCount == 1000 && cache.liveCount == 1000) }
  }

  /// The dead wait for those who come after them, and the room does not grow by them.
  @Test func theRoomIsThatOfTheLiving() {
    let cache = WeakCache<Int, Thing>()
    var living: [Thing] = []
    for wave in 0..<50 {
      living = (0..<1000).map { Thing(wave * 1000 + $0) }
      for thing in living { cache[thing.number] = thing }
      #expect(cache.estimatedCount < 4000)
    }
    living = []
    #expect(cache.estimatedCount >= 1000 && cache.liveCount == 0 && cache.estimatedCount == 0)
  }

  @Test func makesWhatIsNotThere() throws {
    let cache = WeakCache<String, Thing>()
    let made = cache.value(for: "a") { Thing(1) }
    #expect(cache.value(for: "a") { Thing(2) } === made)
    #expect(throws: SatchelErrorStandIn.self) { try cache.value(for: "b") { throw SatchelErrorStandIn() } }
    #expect(cache["b"] == nil)
    // The factory may use the cache, even for the same key.
    let outer = cache.value(for: "c") { cache.value(for: "c") { Thing(3) } }
    #expect(cache["c"] === outer)
    let inner = Thing(4)
    let winner = cache.value(for: "d") {
      cache["d"] = inner
      return Thing(5)
    }
    #expect(winner === inner && cache["d"] === inner)
    // What has died by then is no reason to keep the key.
    let late = cache.value(for: "e") {
      cache["e"] = Thing(6)
      return Thing(7)
    }
    #expect(late.number == 7 && cache["e"] === late)
  }
  private struct SatchelErrorStandIn: Error {}

  @Test func agreesWithAModel() {
    let cache = WeakCache<Int, Thing>()
    var model: [Int: Thing] = [:]
    var generator = SeededGenerator(seed: 1)
    for step in 0..<200_000 {
      let key = Int.random(in: 0..<500, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0, 1, 2:
        let thing = Thing(step)
        cache[key] = thing
        model[key] = thing
      case 3: model[key] = nil  // it dies
      case 4:
        cache[key] = nil
        model[key] = nil
      case 5: #expect(cache.value(for: key) { Thing(-1) }.number == model[key]?.number ?? -1)
      default: #expect(cache[key] === model[key])
      }
    }
    #expect(cache.liveCount == model.count)
    for (key, value) in cache.entries { #expect(model[key] === value) }
  }

  @Test func keysOfOneHash() {
    let cache = WeakCache<RudeKey, Thing>()
    var things = (0..<200).map { Thing($0) }
    for thing in things { cache[RudeKey(number: thing.number)] = thing }
    for thing in things { #expect(cache[RudeKey(number: thing.number)] === thing) }
    for number in stride(from: 0, to: 200, by: 2) { things[number] = Thing(-1) }
    for number in 0..<200 { #expect((cache[RudeKey(number: number)] == nil) == (number % 2 == 0)) }
    for number in stride(from: 1, to: 200, by: 4) { cache[RudeKey(number: number)] = nil }
    withExtendedLifetime(things) { #expect(cache.liveCount == 50) }
  }
}

/// Keys are held as long as their entries are, and no longer.
@Suite struct KeysOfWeakCaches {
  private let cache = WeakCache<Holder, Thing>()
  private let ends = Counter()

  private func key(_ number: Int) -> Holder { Holder(thing: Thing(number) { [ends] in ends.up() }) }

  @Test func goWhereTheirEntriesAreReplacedOrRemoved() {
    let thing = Thing()
    withExtendedLifetime(thing) {
      let first = key(1)
      cache[first] = thing
      cache[Holder(thing: first.thing)] = Thing()
      cache[first] = thing
      #expect(cache.value(for: first) { Thing() } === thing)
      cache[first] = nil
    }
    #expect(ends.value == 1)
  }

  /// The factory's own key comes in too late, and goes with what it was to lead to.
  @Test func goWhereAnotherOneWasFirst() {
    let cache = WeakCache<Twin, Thing>()
    let thing = Thing()
    let winner = cache.value(for: Twin(thing: Thing { [ends] in ends.up() })) {
      cache[Twin(thing: Thing())] = thing
      return Thing()
    }
    #expect(winner === thing && ends.value == 1)
  }

  @Test func goWithTheSweep() {
    let cache = WeakCache<Holder, Thing>()
    for number in 0..<10_000 { cache[key(number)] = Thing() }
    #expect(ends.value == 10_000 - cache.estimatedCount)
    cache.removeExpired()
    #expect(ends.value == 10_000)
  }

  /// Equal to every other one.
  private struct Twin: Hashable {
    let thing: Thing
    static func == (left: Twin, right: Twin) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }
}

/// Equal where it holds the same object.
private struct Holder: Hashable {
  let thing: Thing
  static func == (left: Holder, right: Holder) -> Bool { left.thing === right.thing }
  func hash(into hasher: inout Hasher) { hasher.combine(thing.number) }
}

@Suite struct WeakCachesCalledFromInside {
  @Test func equalityMayUseTheCache() {
    let cache = WeakCache<RudeKey, Thing>()
    let things = (0..<20).map { Thing($0) }
    for thing in things { cache[RudeKey(number: thing.number)] = thing }
    // Once: the cache compares with this key as well, when it is in.
    let comparisons = Counter()
    let nosy = RudeKey(number: 13) {
      comparisons.up()
      if comparisons.value > 1 { return }
      _ = cache[RudeKey(number: 3)]
      cache[RudeKey(number: 4)] = nil
      _ = cache.liveCount
    }
    withExtendedLifetime(things) {
      #expect(cache[nosy] === things[13])
      cache[nosy] = things[0]
      #expect(comparisons.value > 1)
      #expect(cache[RudeKey(number: 13)] === things[0] && cache[RudeKey(number: 4)] == nil)
      // One that empties the cache while it is being compared finds nothing any more.
      let hostile = RudeKey(number: 14) { cache.removeAll() }
      cache[hostile] = things[1]
      #expect(cache.liveCount <= 1)
    }
  }

  @Test func theEndOfObjectsAndKeysMayUseTheCache() {
    let cache = WeakCache<String, Thing>()
    let ends = Counter()
    for number in 0..<500 {
      let thing = Thing(number) {
        ends.up()
        cache["\(number)"] = nil
        cache["other"] = Thing()
        _ = cache.value(for: "\(number)") { Thing() }
      }
      cache["\(number)"] = thing
    }
    #expect(ends.value == 500)

    let byKey = WeakCache<Holder, Thing>()
    let thing = Thing()
    for number in 0..<100 { byKey[Holder(thing: Thing(number) { _ = byKey.liveCount })] = thing }
    byKey.removeAll()
    #expect(byKey.liveCount == 0)
  }

  /// The one that was passed over goes while the next is compared: the search begins anew, and meets the right one.
  @Test func equalityMayChangeWhatWasSearched() {
    let cache = WeakCache<RudeKey, Thing>()
    let things = (0..<4).map { Thing($0) }
    let comparisons = Counter()
    let nosy = RudeKey(number: 1) {
      comparisons.up()
      if comparisons.value == 2 { cache[RudeKey(number: 0)] = nil }
    }
    withExtendedLifetime(things) {
      for thing in things[..<3] { cache[RudeKey(number: thing.number)] = thing }
      cache[nosy] = things[3]
      #expect(cache[RudeKey(number: 1)] === things[3] && cache[RudeKey(number: 2)] === things[2])
      #expect(cache.liveCount == 2)
    }
  }
}

@Suite struct WeakCachesInThreads {
  @Test func allGetTheOneThatWasFirst() {
    for _ in 0..<100 {
      let cache = WeakCache<Int, Thing>()
      let same = Thing(1)
      let wrong = Counter()
      threads(4) { _ in
        if cache.value(for: 1, orCreate: { same }) !== same { wrong.up() }
      }
      withExtendedLifetime(same) { #expect(wrong.value == 0) }
    }
  }

  /// Nobody ever sees nothing where one living object is replaced by another.
  @Test func replacingLeavesNoGap() {
    let cache = WeakCache<String, Thing>()
    let things = [Thing(0), Thing(1)]
    cache["a"] = things[0]
    let gaps = Counter()
    threads(3) { thread in
      for step in 0..<20_000 {
        if thread == 0 { cache["a"] = things[step & 1] } else if cache["a"] == nil { gaps.up() }
      }
    }
    withExtendedLifetime(things) { #expect(gaps.value == 0) }
  }

  @Test func createAndDrop() {
    let cache = WeakCache<Int, Thing>()
    let wrong = Counter()
    threads(4) { thread in
      var generator = SeededGenerator(seed: UInt64(thread))
      for step in 0..<20_000 {
        let key = Int.random(in: 0..<16, using: &generator)
        switch step % 4 {
        case 0: cache[key] = Thing(key)
        case 1: if let found = cache[key], found.number != key { wrong.up() }
        case 2: if cache.value(for: key, orCreate: { Thing(key) }).number != key { wrong.up() }
        default: if step % 100 == 3 { cache.removeExpired() }
        }
      }
    }
    #expect(wrong.value == 0 && cache.liveCount == 0 && cache.estimatedCount == 0)
  }
}
