/// What an entry on a console begins with: the markers of before, which are emoji, or plain letters.
package enum MarkerSet: Sendable {
  case symbols
  case ascii
}

extension MarkerSet {
  /// Of the severity; what an assertion says and what is said of the life of a program have their own.
  func marker(_ severity: Severity, _ kind: RecordKind) -> StaticString {
    switch kind {
    case .assertion: self == .symbols ? "❗" : "[F]"
    case .lifecycle: self == .symbols ? "📲" : "[*]"
    default: self == .symbols ? MarkerSet.symbol(severity) : MarkerSet.letter(severity)
    }
  }

  private static func symbol(_ severity: Severity) -> StaticString {
    switch severity {
    case .trace: "🔹"
    case .debug: "🔹"
    case .info: "🔷"
    case .notice: "🔸"
    case .warning: "🔶"
    case .error: "🔺"
    case .alert: "⚠️"
    case .fatal: "❗"
    }
  }

  private static func letter(_ severity: Severity) -> StaticString {
    switch severity {
    case .trace: "[t]"
    case .debug: "[d]"
    case .info: "[i]"
    case .notice: "[N]"
    case .warning: "[W]"
    case .error: "[E]"
    case .alert: "[A]"
    case .fatal: "[F]"
    }
  }

  /// In front of a value that is dumped.
  package var continuation: StaticString { self == .symbols ? "↪︎" : "->" }
}
