// What run.sh has every language do, in Swift: language-worker VERB DOMAIN ARGUMENTS...
@preconcurrency import Glibc
import Satchel
import SatchelValues

struct Worker {
  let settings: Settings
  let arguments: [String]

  var count: Int { Int(arguments[0])! }

  func run(_ verb: String) throws {
    switch verb {
    case "add": for _ in 0..<count { _ = try settings.add("sum", 1) }
    case "compare": for _ in 0..<count { try compareOnce() }
    case "pair": for number in 0..<count { try pair(Int64(number)) }
    case "count": try countForEver(arguments[0])
    case "write": try eachValue { try settings.set($1, for: "\(arguments[0]).\($0)") }
    case "check": try eachValue { try check("\(arguments[0]).\($0)", $1) }
    default: exit(2)
    }
  }

  func compareOnce() throws {
    while true {
      let old = try settings.value(for: "compared")
      let next = Value.int((try settings.get("compared", as: Int64.self) ?? 0) + 1)
      // Between the two reads another may have written: then the comparison fails as well.
      if try settings.compareAndSet("compared", expected: old, desired: next) { return }
    }
  }

  func pair(_ number: Int64) throws {
    try settings.transaction { change in
      guard try change.value(for: "pair.a") == change.value(for: "pair.b") else { fatalError("half a transaction") }
      try change.set(number, for: "pair.a")
      try change.set(number, for: "pair.b")
    }
  }

  func countForEver(_ key: String) throws {
    setvbuf(stdout, nil, _IOLBF, 0)
    for number in Int64(1)... {
      try settings.set(number, for: key)
      print(number)
    }
  }

  func eachValue(_ body: (Int, Value) throws -> Void) throws {
    let file = fopen(String(cString: getenv("SATCHEL_VALUES")), "r")!
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var room = 0
    var number = 0
    while getline(&line, &room, file) > 0 {
      let text = String(cString: line!)
      if text.hasPrefix("#") { continue }
      number += 1
      try body(number, try JSON.parse(String(text[text.firstIndex(of: " ")!...])))
    }
    free(line)
  }

  func check(_ key: String, _ expected: Value) throws {
    guard let value = try settings.value(for: key) else { return print("\(key): absent") }
    if value != expected { print("\(key): \(value)") }
  }
}

let words = CommandLine.arguments
do {
  try Worker(settings: Settings(domain: words[2]), arguments: Array(words[3...])).run(words[1])
} catch {
  fputs("language-worker: \(error)\n", stderr)
  exit(3)
}
