// Finding 1,000 living objects in a weak cache, 100 times in turn with what one writes without it: the standard library's
// Dictionary with a weak reference in each value, under a mutex.
import SatchelCollections
import Synchronization

final class Thing: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

struct Weak { weak var thing: Thing? }

final class HandMade: Sendable {
  private let table = Mutex<[String: Weak]>([:])

  subscript(key: String) -> Thing? {
    get { table.withLock { $0[key]?.thing } }
    set { table.withLock { $0[key] = newValue.map { Weak(thing: $0) } } }
  }
}

let things = (0..<1000).map { Thing($0) }
let keys = things.map { "settings.key.\($0.number)" }
let ours = WeakCache<String, Thing>()
let theirs = HandMade()
for (key, thing) in zip(keys, things) {
  ours[key] = thing
  theirs[key] = thing
}
let passes = 10
let expected = passes * things.reduce(0) { $0 + $1.number }

/// Nanoseconds a key.
func time(_ look: (String) -> Int) -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  var sum = 0
  for _ in 0..<passes {
    for key in keys { sum += look(key) }
  }
  let (seconds, attoseconds) = start.duration(to: clock.now).components
  guard sum == expected else { fatalError("a wrong object was found") }
  return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(passes * keys.count)
}

var mine: [Double] = []
var peer: [Double] = []
for _ in 0..<101 {
  mine.append(time { ours[$0]?.number ?? -1 })
  peer.append(time { theirs[$0]?.number ?? -1 })
}
func text(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }
let (value, other) = (mine.sorted()[mine.count / 2], peer.sorted()[peer.count / 2])
withExtendedLifetime(things) {
  print("cache.swift.get\t\(text(value))\tns\tDictionary+Mutex\t\(text(other))\t\(text(other / value))")
}
