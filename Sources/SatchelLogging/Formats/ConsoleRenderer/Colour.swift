/// The sequences that colour a terminal. They are the only ones that a console gets: those in a message are shown.
enum Colour {
  static let reset: StaticString = "\u{1b}[0m"
  static let faint: StaticString = "\u{1b}[2m"

  /// nil where the colour of the terminal stays.
  static func of(_ severity: Severity) -> StaticString? {
    switch severity {
    case .trace, .debug: faint
    case .info: nil
    case .notice: "\u{1b}[36m"
    case .warning: "\u{1b}[33m"
    case .error: "\u{1b}[31m"
    case .alert: "\u{1b}[1;31m"
    case .fatal: "\u{1b}[1;37;41m"
    }
  }
}
