// The ordered dictionary, integers under integers, against the standard library: its Dictionary where that does the same work without
// keeping an order, else an array of keys beside a Dictionary. Keys come in random order.
import SatchelCollections

/// Shuffled alike in each run (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

struct Bench {
  let suffix: String
  let rounds: Int
  /// How often small tables are gone through, so that reading the clock costs nothing.
  let passes: Int
  let keys: [Int]
  let probes: [Int]
  let absent: [Int]
  let sum: Int
  let ours: OrderedDictionary<Int, Int>
  let dictionary: [Int: Int]
  let handMade: HandMade

  init(_ suffix: String, _ count: Int, rounds: Int) {
    var generator = Seeded()
    self.suffix = suffix
    self.rounds = rounds
    passes = max(1, 20_000 / count)
    keys = (0..<count).map { _ in Int(truncatingIfNeeded: generator.next() >> 1) }
    probes = keys.shuffled(using: &generator)
    absent = keys.map { ~$0 }
    sum = keys.reduce(0, &+)
    ours = OrderedDictionary(zip(keys, keys))
    dictionary = Dictionary(uniqueKeysWithValues: zip(keys, keys))
    handMade = HandMade(keys: keys)
  }

  func timing(_ name: String, peer: String = "array+Dictionary") -> Timing {
    Timing("dict.swift.\(name).\(suffix)", peer: peer)
  }

  /// So many operations of the peer, whose cost grows with the table, tell enough.
  var few: Int { min(keys.count / 2, 200) }

  func insert() {
    var timing = timing("insert", peer: "Dictionary")
    for _ in 0..<rounds {
      timing.ours(keys.count * passes, expecting: keys.count) {
        var count = 0
        for _ in 0..<passes {
          var table = OrderedDictionary<Int, Int>()
          for key in keys { table[key] = key }
          count = table.count
        }
        return count
      }
      timing.theirs(keys.count * passes, expecting: keys.count) {
        var count = 0
        for _ in 0..<passes {
          var table: [Int: Int] = [:]
          for key in keys { table[key] = key }
          count = table.count
        }
        return count
      }
    }
    timing.report()
  }

  func find(_ name: String, _ probes: [Int], sum: Int) {
    var timing = timing(name, peer: "Dictionary")
    for _ in 0..<rounds {
      timing.ours(probes.count * passes, expecting: sum &* passes) {
        var found = 0
        for _ in 0..<passes { for key in probes { found &+= ours[key] ?? 0 } }
        return found
      }
      timing.theirs(probes.count * passes, expecting: sum &* passes) {
        var found = 0
        for _ in 0..<passes { for key in probes { found &+= dictionary[key] ?? 0 } }
        return found
      }
    }
    timing.report()
  }

  /// A copy of its own, outside of what is timed.
  func copy() -> OrderedDictionary<Int, Int> {
    var copy = ours
    copy.reserveCapacity(keys.count)
    copy.moveToEnd(copy.keys[copy.count - 1])
    return copy
  }

  func remove() {
    var timing = timing("remove")
    for _ in 0..<rounds {
      var copies = (0..<passes).map { _ in copy() }
      timing.ours(probes.count * passes, expecting: sum &* passes) {
        var removed = 0
        for pass in copies.indices { for key in probes { removed &+= copies[pass].removeValue(forKey: key) ?? 0 } }
        return removed
      }
      var peer = handMade
      peer.moveToEnd(keys[keys.count - 1])
      timing.theirs(few) {
        for key in probes.prefix(few) { peer.remove(key) }
        return 0
      }
    }
    timing.report()
  }

  func queue() {
    var timing = timing("fifo")
    for _ in 0..<rounds {
      var copies = (0..<passes).map { _ in copy() }
      timing.ours(keys.count * passes, expecting: sum &* passes) {
        var removed = 0
        for pass in copies.indices { while let (key, _) = copies[pass].popFirst() { removed &+= key } }
        return removed
      }
      var peer = handMade
      peer.moveToEnd(keys[keys.count - 1])
      timing.theirs(few) {
        for _ in 0..<few { peer.removeFirst() }
        return 0
      }
    }
    timing.report()
  }

  func touch() {
    var timing = timing("touch")
    for _ in 0..<rounds {
      var table = copy()
      timing.ours(probes.count * passes, expecting: probes.count * passes) {
        var moved = 0
        for _ in 0..<passes { for key in probes where table.moveToEnd(key) { moved += 1 } }
        return moved
      }
      var peer = handMade
      peer.moveToEnd(keys[keys.count - 1])
      timing.theirs(few) {
        for key in probes.prefix(few) { peer.moveToEnd(key) }
        return 0
      }
    }
    timing.report()
  }

  func withHoles() -> OrderedDictionary<Int, Int> {
    var table = copy()
    for key in probes.prefix(keys.count / 3) { table[key] = nil }
    return table
  }

  /// With a third of the entries removed, at random positions.
  func position() {
    var timing = timing("position")
    let table = withHoles()
    var generator = Seeded()
    let positions = (0..<table.count).shuffled(using: &generator)
    let sum = table.values.reduce(0, &+)
    for _ in 0..<rounds {
      timing.ours(positions.count * passes, expecting: sum &* passes) {
        var found = 0
        for _ in 0..<passes { for position in positions { found &+= table.values[position] } }
        return found
      }
    }
    timing.report()
  }

  func all() {
    insert()
    find("hit", probes, sum: sum)
    find("miss", absent, sum: 0)
    remove()
    queue()
    touch()
    position()
  }
}

Bench("1k", 1000, rounds: 41).all()
Bench("100k", 100_000, rounds: 15).all()
Bench("1m", 1_000_000, rounds: 5).all()
