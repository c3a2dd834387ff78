import CollectionsSupport
import SatchelCollections

/// Streams of random operations, about `steps` in all, on small and on large tables. The first fault, with what it takes to see it again.
func randomRuns<Key: ReplayKey>(_ type: Key.Type, steps: Int, seed: UInt64) -> String? {
  var generator = SystemSeed(state: seed)
  var done = 0
  while done < steps {
    let stream = (0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    if let fault = OrderedReplay<Key>.run(stream) { return "stream \(done / 4000) of seed \(seed): \(fault)" }
    done += 4000
  }
  return nil
}

/// Several tasks ask one dictionary with holes for positions at the same moment, so that each may be the first to need the ranks.
func readersAtOnce(rounds: Int) async -> String? {
  for _ in 0..<rounds {
    var table = OrderedDictionary<Int, Int>()
    for key in 0..<3000 { table[key] = key }
    for key in stride(from: 1, to: 3000, by: 3) { table[key] = nil }
    let shared = table
    let faults = await withTaskGroup(of: Int.self) { group in
      for start in 0..<4 {
        group.addTask {
          (0..<500).count { step in
            let key = (start * 700 + step * 3) % 3000 / 3 * 3
            return shared.position(of: key).map { shared.keys[$0] } != key
          }
        }
      }
      return await group.reduce(0, +)
    }
    if faults > 0 { return "\(faults) wrong positions" }
  }
  return nil
}

/// Several tasks change copies of one dictionary; nobody sees what another does.
func copiesInTasks(rounds: Int) async -> String? {
  var table = OrderedDictionary<Int, String>()
  for key in 0..<1000 { table[key] = "value \(key)" }
  for _ in 0..<rounds {
    let shared = table
    let sums = await withTaskGroup(of: Int.self) { group in
      for task in 0..<4 {
        group.addTask {
          var mine = shared
          for key in 0..<1000 where key % 4 == task { mine[key] = nil }
          for key in 0..<100 { mine.moveToStart(key) }
          for key in 1000..<1100 { mine[key] = "new" }
          return mine.count
        }
      }
      return await group.reduce(0, +)
    }
    if sums != 4 * 850 || shared.count != 1000 { return "a copy was changed with another" }
  }
  return nil
}

/// Random numbers that come again with the same seed (SplitMix64).
struct SystemSeed: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
