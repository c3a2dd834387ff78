// Long runs over ordered dictionaries. Usage: ordered-torture STEPS SEED, both numbers. Prints "N passed, N failed".
import CollectionsSupport
import Glibc
import SatchelCollections

var passed = 0
var failed = 0

@MainActor
func check(_ name: String, _ fault: String?) {
  if let fault {
    failed += 1
    print("FAIL  \(name): \(fault)")
  } else {
    passed += 1
    print("ok    \(name)")
  }
}

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
guard arguments.count == 2 else { fatalError("usage: ordered-torture STEPS SEED") }
let (steps, seed) = (arguments[0], UInt64(arguments[1]))

check("integers as keys", randomRuns(Int.self, steps: steps, seed: seed))
check("strings as keys", randomRuns(String.self, steps: steps, seed: seed + 1))
check("keys that collide", randomRuns(CollidingKey.self, steps: steps, seed: seed + 2))
check("readers at once", await readersAtOnce(rounds: steps / 10_000 + 1))
check("copies in several tasks", await copiesInTasks(rounds: steps / 10_000 + 1))
print("\(passed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)
