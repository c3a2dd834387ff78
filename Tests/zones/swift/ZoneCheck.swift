// zone-check <TABLE: compares lines of "ZONE<tab>MICROSECONDS<tab>TEXT" with what the library says of the same instants, and says
// how many zones are right.
// zone-check record: says what a log directory made now has recorded of the zone of the machine.
import Glibc
import SatchelSystem

@main
struct ZoneCheck {
  /// Of the zone that the lines are about now.
  var name: Substring = ""
  var rules = ZoneRules.utc
  var clock = ZoneClock(.utc)
  var span = ZoneRules.utc.span(at: 0)
  var isRight = true
  var passed = 0
  var failed = 0

  static func main() {
    if CommandLine.arguments.dropFirst().first == "record" { return print(Zone.system().record) }
    var check = ZoneCheck()
    while let line = readLine() { check.compare(line.split(separator: "\t")) }
    check.finishZone()
    print("\(check.passed) passed, \(check.failed) failed")
    exit(check.failed == 0 && check.passed > 0 ? 0 : 1)
  }

  mutating func compare(_ fields: [Substring]) {
    guard fields.count == 3, let microseconds = Int64(fields[1]) else {
      return fault("a line that cannot be read: \(fields)")
    }
    if fields[0] != name { startZone(fields[0]) }
    let second = microseconds.floored(by: 1_000_000).quotient
    // As callers do it: the span is kept as long as it holds.
    if !span.contains(second) { span = rules.span(at: second) }
    let said = text(microseconds, span.offset)
    if said != fields[2] { fault("at \(microseconds): \(said), not \(fields[2])") }
    if rules.offset(at: second) != span.offset { fault("at \(microseconds): the span says \(span)") }
  }

  /// Beyond what 64 bits of nanoseconds hold, by the second.
  mutating func text(_ microseconds: Int64, _ offset: Int) -> String {
    let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
    if overflow {
      return TimeText.text(second: microseconds.floored(by: 1_000_000).quotient + Int64(offset / 60 * 60))
    }
    return String(unsafeUninitializedCapacity: TimeText.length) {
      clock.write(nanoseconds, to: UnsafeMutableRawPointer($0.baseAddress!))
      return TimeText.length
    }
  }

  mutating func startZone(_ name: Substring) {
    finishZone()
    self.name = name
    guard let zone = Zone(named: String(name)) else {
      rules = .utc
      return fault("there is no such zone")
    }
    rules = zone.rules
    clock = ZoneClock(rules)
    span = rules.span(at: 0)
    if Zone(record: zone.record)?.name != zone.name { fault("it is not found again by its record, \(zone.record)") }
  }

  mutating func finishZone() {
    guard name != "" else { return }
    if isRight { passed += 1 } else { failed += 1 }
    isRight = true
  }

  mutating func fault(_ text: String) {
    if isRight { print("FAIL \(name): \(text)") }
    isRight = false
  }
}
