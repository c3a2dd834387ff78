import SatchelCollections
import TestSupport
import Testing

@Suite struct CountedCaches {
  @Test func anEntryGoesWithItsLastHolder() {
    let ends = Counter()
    let cache = CountedCache<String, Thing>()
    var first: CachedObject<Thing>? = cache.insert(Thing(1) { ends.up() }, for: "a")
    var second = cache["a"]
    #expect(second?.value === first?.value && cache.count == 1)
    first = nil
    #expect(cache.count == 1 && ends.value == 0)
    second = nil
    #expect(cache.count == 0 && ends.value == 1 && cache["a"] == nil)
  }

  @Test func replacesAndRemoves() {
    let cache = CountedCache<String, Int>()
    let first = cache.insert(1, for: "a")
    let second = cache.insert(2, for: "a")
    withExtendedLifetime((first, second)) {
      #expect(first.value == 1 && cache["a"]?.value == 2 && cache.count == 1)
      #expect(cache.removeValue(for: "a")?.value == 2)
      #expect(cache.removeValue(for: "a") == nil && cache.count == 0 && second.value == 2)
    }
    let again = cache.insert(3, for: "a")
    withExtendedLifetime(again) { #expect(cache["a"]?.value == 3) }
  }

  /// The replaced one ends later than the one in its place, and must not take that along.
  @Test func whatWasReplacedDiesAlone() {
    let cache = CountedCache<String, Int>()
    var first: CachedObject<Int>? = cache.insert(1, for: "a")
    let second = cache.insert(2, for: "a")
    #expect(first?.value == 1)
    first = nil
    withExtendedLifetime(second) { #expect(cache["a"]?.value == 2 && cache.count == 1) }
  }

  @Test func objectsOutliveTheirCache() {
    let ends = Counter()
    var cache: CountedCache<Int, Thing>? = CountedCache()
    var objects = (0..<100).compactMap { number in cache?.insert(Thing(number) { ends.up() }, for: number) }
    cache = nil
    #expect(ends.value == 0 && objects[99].value.number == 99)
    objects = []
    #expect(ends.value == 100)
  }

  @Test func makesWhatIsNotThere() {
    let cache = CountedCache<String, Int>()
    let made = cache.object(for: "a") { 1 }
    #expect(cache.object(for: "a") { 2 }.value == 1)
    let outer = cache.object(for: "b") { cache.object(for: "b") { 3 }.value + 1 }
    #expect(outer.value == 4)
    var inner: CachedObject<Int>?
    let winner = cache.object(for: "c") {
      inner = cache.insert(5, for: "c")
      return 6
    }
    withExtendedLifetime((made, inner)) { #expect(winner.value == 5 && cache["c"]?.value == 5 && cache.count == 3) }
  }

  @Test func allIsRemoved() {
    let ends = Counter()
    let cache = CountedCache<Int, Thing>()
    var objects = (0..<100).map { number in cache.insert(Thing(number) { ends.up() }, for: number) }
    cache.removeAll()
    #expect(cache.count == 0 && cache[5] == nil && objects[5].value.number == 5)
    let again = cache.insert(Thing(), for: 5)
    objects = []
    withExtendedLifetime(again) { #expect(ends.value == 100 && cache.count == 1) }
  }

  /// Whoever is compared, replaced or too late is counted in and out again.
  @Test func noCountIsLost() {
    let ends = Counter()
    let cache = CountedCache<RudeKey, Thing>()
    func thing() -> Thing { Thing { ends.up() } }
    do {
      let objects = (0..<20).map { cache.insert(thing(), for: RudeKey(number: $0 % 10)) }
      let late = cache.object(for: RudeKey(number: 10)) {
        _ = cache.insert(thing(), for: RudeKey(number: 10))
        return thing()
      }
      let first = cache.insert(thing(), for: RudeKey(number: 11))
      #expect(cache.object(for: RudeKey(number: 11)) { thing() }.value === first.value)
      var inner: CachedObject<Thing>?
      let outer = cache.object(for: RudeKey(number: 12)) {
        inner = cache.insert(thing(), for: RudeKey(number: 12))
        return thing()
      }
      #expect(outer.value === inner?.value && cache[RudeKey(number: 20)] == nil)
      withExtendedLifetime((objects, late, first)) { #expect(cache.count == 13) }
    }
    #expect(cache.count == 0 && ends.value == 25)
  }

  @Test func agreesWithAModel() {
    let cache = CountedCache<Int, Int>()
    var model: [Int: CachedObject<Int>] = [:]
    var generator = SeededGenerator(seed: 2)
    for step in 0..<200_000 {
      let key = Int.random(in: 0..<500, using: &generator)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0, 1, 2: model[key] = cache.insert(step, for: key)
      case 3: model[key] = nil
      case 4:
        #expect(cache.removeValue(for: key)?.value == model[key]?.value)
        model[key] = nil
      case 5: #expect(cache.object(for: key) { -1 }.value == model[key]?.value ?? -1)
      default: #expect(cache[key]?.value == model[key]?.value)
      }
      #expect(step % 100 != 0 || cache.count == model.count)
    }
  }

  @Test func keysOfOneHashThatUseTheCache() {
    let cache = CountedCache<RudeKey, Int>()
    let objects = (0..<50).map { cache.insert($0, for: RudeKey(number: $0)) }
    let nosy = RudeKey(number: 30) {
      _ = cache[RudeKey(number: 3)]
      cache.removeValue(for: RudeKey(number: 4))
    }
    withExtendedLifetime(objects) {
      #expect(cache[nosy]?.value == 30)
      #expect(cache.count == 49)
      for number in 0..<50 where number != 4 { #expect(cache[RudeKey(number: number)]?.value == number) }
    }
  }

  @Test func theEndOfValuesMayUseTheCache() {
    let cache = CountedCache<Int, Thing>()
    let ends = Counter()
    for number in 0..<500 {
      _ = cache.insert(
        Thing(number) {
          ends.up()
          _ = cache.object(for: number) { Thing() }
        }, for: number)
    }
    #expect(ends.value == 500 && cache.count == 0)
  }

  @Test func createAndDropInThreads() {
    let cache = CountedCache<Int, Int>()
    let wrong = Counter()
    threads(4) { thread in
      var generator = SeededGenerator(seed: UInt64(thread))
      for step in 0..<20_000 {
        let key = Int.random(in: 0..<16, using: &generator)
        switch step % 4 {
        case 0: if cache.insert(key, for: key).value != key { wrong.up() }
        case 1: if let found = cache[key], found.value != key { wrong.up() }
        case 2: if cache.object(for: key, orCreate: { key }).value != key { wrong.up() }
        default: if step % 100 == 3 { cache.removeValue(for: key) }
        }
      }
    }
    #expect(wrong.value == 0 && cache.count == 0)
  }
}
