// Reading an integer from Swift, 1,000 keys in turn, against Foundation's UserDefaults. Usage: ReadBenchmark FOLDER
import Foundation
import Satchel

let keys = (0..<1000).map { "section.key.\($0)" }
var options = Settings.Options()
options.directory = CommandLine.arguments[1]
let settings = try Settings(domain: "bench.read.swift", options: options)
guard let defaults = UserDefaults(suiteName: "org.satchel.bench") else { fatalError("no UserDefaults") }
for (number, key) in keys.enumerated() {
  try settings.set(Int64(number), for: key)
  defaults.set(number, forKey: key)
}
let expected = Int64(999 * 1000 / 2)

/// Nanoseconds a read, of `passes` passes over all keys.
func time(passes: Int, _ pass: () throws -> Int64) rethrows -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  for _ in 0..<passes where try pass() != expected { fatalError("a wrong value was read") }
  let (seconds, attoseconds) = start.duration(to: clock.now).components
  return (Double(seconds) * 1e9 + Double(attoseconds) / 1e9) / Double(passes * keys.count)
}

func readSatchel() throws -> Int64 {
  var sum: Int64 = 0
  for key in keys { sum += try settings.get(key, as: Int64.self) ?? 0 }
  return sum
}

func readDefaults() -> Int64 {
  var sum: Int64 = 0
  for key in keys { sum += Int64(defaults.integer(forKey: key)) }
  return sum
}

var ours: [Double] = []
var theirs: [Double] = []
for _ in 0..<15 {
  for _ in 0..<40 { ours.append(try time(passes: 10, readSatchel)) }
  for _ in 0..<5 { theirs.append(time(passes: 1, readDefaults)) }
}
let mine = ours.sorted()[ours.count / 2]
let peer = theirs.sorted()[theirs.count / 2]
let columns = [String(format: "%.4g", mine), "ns", "UserDefaults", String(format: "%.4g", peer)]
print((["settings.read.swift"] + columns + [String(format: "%.2f", peer / mine)]).joined(separator: "\t"))
