import CSatchelSystem
import Glibc
import SatchelSystem

/// What is read from standard input or a file.
enum Input {
  /// More than any transaction holds, so that an endless input ends.
  static let limit = 128 << 20

  static func standard() throws(Failure) -> [UInt8] { try readAll(STDIN_FILENO, "standard input") }

  /// `path` as the shell gave it; it need not be UTF-8.
  static func file(_ path: Word) throws(Failure) -> [UInt8] {
    let descriptor = scs_open(path.pointer, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { throw failure(-descriptor, "cannot open", path.shown) }
    defer { close(descriptor) }
    return try readAll(descriptor, path.shown)
  }

  static func text(_ bytes: [UInt8], from name: String) throws(Failure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure(.usage, "\(name) is not UTF-8") }
    return text
  }

  private static func readAll(_ descriptor: Int32, _ name: String) throws(Failure) -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return all }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(errno, "cannot read", name)
      }
      all.append(contentsOf: chunk[..<count])
      if all.count > limit { throw Failure(.limit, "\(name) has more than \(limit >> 20) MiB") }
    }
  }

  private static func failure(_ error: Int32, _ action: String, _ name: String) -> Failure {
    let told = SatchelError(errno: error, action, path: name)
    return Failure(ExitCode(told.code), told.message)
  }
}
