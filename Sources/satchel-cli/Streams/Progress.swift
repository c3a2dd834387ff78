import Glibc

/// How far a long piece of work is, on a terminal; silent elsewhere and for short work.
struct Progress {
  private let name: String
  private let total: Int
  private let isShown: Bool
  private var count = 0
  private static let step = 8192

  init(_ name: String, total: Int) {
    self.name = name
    self.total = total
    isShown = total > 4 * Self.step && isatty(STDERR_FILENO) == 1
  }

  mutating func step() {
    count += 1
    if isShown, count % Self.step == 0 { Diagnostics.write("\rsatchel: \(name): \(count) of \(total)") }
  }

  /// Takes the line away.
  func end() {
    if isShown { Diagnostics.write("\r\u{1b}[K") }
  }
}
