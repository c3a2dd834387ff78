/// How much a record matters, from 1 up. One bit each: sets of severities are masks.
public enum Severity: UInt8, CaseIterable, Comparable, Sendable {
  case trace = 1
  case debug
  case info
  case notice
  case warning
  case error
  case alert
  case fatal

  @inlinable
  public var mask: SeverityMask { SeverityMask(rawValue: 1 << UInt32(rawValue)) }

  public static func < (a: Severity, b: Severity) -> Bool { a.rawValue < b.rawValue }

  /// The name in every language, in files and on command lines.
  public var name: StaticString {
    switch self {
    case .trace: "trace"
    case .debug: "debug"
    case .info: "info"
    case .notice: "notice"
    case .warning: "warning"
    case .error: "error"
    case .alert: "alert"
    case .fatal: "fatal"
    }
  }

  /// The severity of that name, in any case; `warn`, `err`, `critical` and `crit` (an alert) are understood too.
  public init?(name: String) {
    let name = name.lowercased()
    if let known = Severity.allCases.first(where: { "\($0.name)" == name }) {
      self = known
      return
    }
    switch name {
    case "warn": self = .warning
    case "err": self = .error
    case "critical", "crit": self = .alert
    default: return nil
    }
  }

  /// The severity that syslog (RFC 5424) gives it: 7 (debug) to 1 (alert), never 0.
  public var syslog: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .alert: 2
    case .fatal: 1
    }
  }

  /// OpenTelemetry's SeverityNumber.
  public var openTelemetry: Int { [1, 5, 9, 10, 13, 17, 19, 21][Int(rawValue) - 1] }

  /// Returns to the caller only once it is in a file, and is written out at once.
  public var isUrgent: Bool { self >= .alert }
}

/// A set of severities.
public struct SeverityMask: OptionSet, Sendable {
  public let rawValue: UInt32

  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let all = SeverityMask(rawValue: 0x1fe)

  /// That severity and all above it.
  public static func from(_ least: Severity) -> SeverityMask {
    SeverityMask(rawValue: 0x1fe & ~((1 << UInt32(least.rawValue)) - 1))
  }
}
