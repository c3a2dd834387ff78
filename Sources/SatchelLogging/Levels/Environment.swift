import CSatchelSystem
import Glibc

/// What the environment says of logs: `SATCHEL_LOG=info,net=trace`.
enum LogEnvironment {
  static let variable = "SATCHEL_LOG"

  /// Read at each opening; what makes no sense is told once, on stderr, and left out.
  static func directives() -> LevelDirectives {
    guard let value = getenv(variable), value.pointee != 0 else { return LevelDirectives("") }
    let directives = LevelDirectives(String(cString: value))
    if !directives.unknown.isEmpty { complain(directives.unknown) }
    return directives
  }

  private struct Once: @unchecked Sendable { let told = UnsafeMutablePointer<Bool>.allocate(capacity: 1) }
  private static let once: Once = {
    let once = Once()
    once.told.initialize(to: false)
    return once
  }()

  private static func complain(_ words: [String]) {
    guard !once.told.pointee else { return }
    once.told.pointee = true
    let list = words.map { "\"\($0)\"" }.joined(separator: ", ")
    var text = "satchel: \(variable): \(list) is left out; write info,net=trace, or off\n"
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }
}
