import Testing

@testable import SatchelSystem

@Suite struct TimeTextTests {
  /// What is written, and that nothing is beyond it.
  private func text(_ nanoseconds: Int64, _ offset: Int) -> String {
    var bytes = [UInt8](repeating: UInt8(ascii: "#"), count: TimeText.length + 1)
    bytes.withUnsafeMutableBytes { TimeText.write(nanoseconds, offset: offset, to: $0.baseAddress!) }
    #expect(bytes.last == UInt8(ascii: "#"))
    return String(decoding: bytes.dropLast(), as: UTF8.self)
  }

  @Test func before1970AndAfter() {
    #expect(text(0, 0) == "1970-01-01T00:00:00.000000+00:00")
    #expect(text(-1, 0) == "1969-12-31T23:59:59.999999+00:00")
    #expect(text(1_000_000_000 * 1_709_251_199 + 123_456_789, 0) == "2024-02-29T23:59:59.123456+00:00")
    #expect(text(.max, 0) == "2262-04-11T23:47:16.854775+00:00")
    #expect(text(.min, 0) == "1677-09-21T00:12:43.145224+00:00")
  }

  @Test func offsets() {
    #expect(text(0, 5 * 3600 + 45 * 60) == "1970-01-01T05:45:00.000000+05:45")
    #expect(text(0, -3 * 3600 - 30 * 60) == "1969-12-31T20:30:00.000000-03:30")
    #expect(text(.max, 86_399) == "2262-04-12T23:46:16.854775+23:59")
    #expect(text(.min, -86_399) == "1677-09-20T00:13:43.145224-23:59")
    // Both without the seconds, so that it is the same instant.
    #expect(text(0, 75) == "1970-01-01T00:01:00.000000+00:01")
    #expect(text(0, -75) == "1969-12-31T23:59:00.000000-00:01")
    #expect(text(0, -59) == "1970-01-01T00:00:00.000000+00:00")
  }

  @Test func strings() {
    #expect(TimeText.text(second: CivilDate.secondsInText.lowerBound) == "0001-01-01T00:00:00")
    #expect(TimeText.text(second: CivilDate.secondsInText.upperBound) == "9999-12-31T23:59:59")
    #expect(CivilDate(year: 800, month: 12, day: 25).text == "0800-12-25")
    #expect(CivilTime(secondOfDay: 3_661).text == "01:01:01")
    #expect(CivilTime(secondOfDay: 86_399).text == "23:59:59")
  }

  @Test func divisionRoundsDown() {
    #expect((7 as Int64).floored(by: 3) == (2, 1))
    #expect((-7 as Int64).floored(by: 3) == (-3, 2))
    #expect((-6 as Int64).floored(by: 3) == (-2, 0))
    #expect(Int64.min.floored(by: 1_000_000_000).remainder == 145_224_192)
  }
}
