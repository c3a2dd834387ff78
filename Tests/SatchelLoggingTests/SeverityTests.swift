import SatchelLogging
import Testing

@Suite struct SeverityTests {
  @Test func namesAreReadBack() {
    for severity in Severity.allCases { #expect(Severity(name: "\(severity.name)".uppercased()) == severity) }
    #expect(Severity(name: "warn") == .warning)
    #expect(Severity(name: "critical") == .alert)
    #expect(Severity(name: "loud") == nil)
    #expect(Severity(name: "") == nil)
  }

  @Test func masksAreInOrderOfSeverity() {
    #expect(SeverityMask.from(.trace) == .all)
    #expect(SeverityMask.from(.fatal) == Severity.fatal.mask)
    for severity in Severity.allCases {
      #expect(SeverityMask.from(.notice).contains(severity.mask) == (severity >= .notice))
    }
  }

  @Test func syslogNumbersNeverCryForThePanicOfTheSystem() {
    #expect(Severity.allCases.map(\.syslog) == [7, 7, 6, 5, 4, 3, 2, 1])
  }
}
