import TestSupport
import Testing

@testable import SatchelSystem

@Suite struct ZoneClockTests {
  private func text(_ write: (UnsafeMutableRawPointer) -> Void) -> String {
    var bytes = [UInt8](repeating: UInt8(ascii: "#"), count: TimeText.length)
    bytes.withUnsafeMutableBytes { write($0.baseAddress!) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func itSaysWhatItsRulesSay() throws {
    let rules = ZoneRules(try #require(PosixZone("GMT0BST,M3.5.0/1,M10.5.0")))
    var clock = ZoneClock(rules)
    var random = SeededGenerator(seed: 3)
    // From one instant to the next by less than a microsecond, or by ages, back and forth, over the last second of summer.
    var now: Int64 = 1_792_889_999_000_000_000
    for _ in 0..<20_000 {
      now &+= Int64.random(in: -1000...1_000_000_000, using: &random) >> Int64.random(in: 0...20, using: &random)
      if Int.random(in: 0..<500, using: &random) == 0 { now = Int64.random(in: .min ... .max, using: &random) }
      let second = now.floored(by: 1_000_000_000).quotient
      let expected = text { TimeText.write(now, offset: rules.offset(at: second), to: $0) }
      #expect(text { clock.write(now, to: $0) } == expected)
      #expect(clock.day(at: second) == rules.day(at: second))
    }
  }

  @Test func atTheEndsOfTime() {
    var clock = ZoneClock(.utc)
    #expect(text { clock.write(.min, to: $0) } == "1677-09-21T00:12:43.145224+00:00")
    #expect(text { clock.write(.max, to: $0) } == "2262-04-11T23:47:16.854775+00:00")
    #expect(text { clock.write(0, to: $0) } == "1970-01-01T00:00:00.000000+00:00")
  }
}
