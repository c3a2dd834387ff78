import CSatchelSystem
import Glibc
import SatchelLogging

// What Tests/log has Swift do.
@inline(never) func three(_ log: Logger, _ a: Int, _ b: Int, _ d: Double) {
  log.info("Logging int: \(a), int: \(b), double: \(d)")
}
let s48 = "a somewhat large string that does not fit in SSO"
@inline(never) func text(_ log: Logger, _ a: Int, _ b: Int, _ d: Double) {
  log.info("Logging int: \(a), int: \(b), string: \(s48)")
}
@inline(never) func fixed(_ log: Logger, _ a: Int, _ b: Int, _ d: Double) {
  log.info("Starting backup replica garbage collector thread")
}
@inline(never) func disabled(_ log: Logger, _ a: Int, _ b: Int, _ d: Double) {
  log.debug("Logging int: \(a), int: \(b), double: \(d)")
}

let burst = getenv("BURST").flatMap { Int(String(cString: $0)) } ?? 20
func measure(_ name: String, _ log: Logger, _ f: (Logger, Int, Int, Double) -> Void) {
  var l = [Double]()
  for k in 0..<3000 {
    let a = scs_monotonic_ns()
    for i in 0..<burst { f(log, k, i, Double(k) * 1.1) }
    l.append(Double(scs_monotonic_ns() - a) / Double(burst))
    usleep(500)
  }
  l.sort()
  print(name, "p50", l[1500], "p99", l[2970], "p99.9", l[2997], "ns")
}

@main struct Main {
  static func main() throws {
    var options = LogOptions()
    options.directory = CommandLine.arguments[1]
    options.showsOnConsole = false
    let log = try Logger(app: "bench", options: options)
    measure("int,int,double  ", log, three)
    measure("int,int,string48", log, text)
    measure("fixed text      ", log, fixed)
    measure("disabled        ", log, disabled)
    _ = log.flush()
    for _ in 0..<3 {
      let n = 3_000_000
      let a = scs_monotonic_ns()
      for i in 0..<n { log.info("Iteration: \(i) int: \(i &* 2) double: \(Double(i) / 2)") }
      while !log.flush() {}
      print("1 producer", Double(n) / Double(scs_monotonic_ns() - a) * 1e3, "M lines/s")
    }
    let t = scs_monotonic_ns()
    for i in 0..<1000 { log.alert("alert \(i)") }
    print("alert", (scs_monotonic_ns() - t) / 1000, "ns")
  }
}
