import Glibc
import SatchelSystem

/// Standard output: exact bytes, in large writes, and a failure where they cannot be written.
struct Output: ~Copyable {
  private var pending: [UInt8] = []
  private static let room = 64 << 10

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { pending.append(contentsOf: $0) }
  }

  mutating func add(_ bytes: [UInt8]) { pending.append(contentsOf: bytes) }

  mutating func add(_ byte: UInt8) { pending.append(byte) }

  /// Writes what is pending once it is worth a system call.
  mutating func flushIfLarge() throws(Failure) {
    if pending.count >= Self.room { try flush() }
  }

  mutating func flush() throws(Failure) {
    let error = Self.write(pending, to: STDOUT_FILENO)
    pending.removeAll(keepingCapacity: true)
    if error == 0 { return }
    if error == EPIPE { Self.endByBrokenPipe() }
    throw Failure(.failed, SatchelError(errno: error, "cannot write to standard output").message)
  }

  /// 0 or an errno.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { all in
      var rest = all[...]
      while !rest.isEmpty {
        let count = UnsafeRawBufferPointer(rebasing: rest).withMemoryRebound(to: UInt8.self) {
          Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        if count < 0 {
          if errno == EINTR { continue }
          return errno
        }
        rest = rest.dropFirst(count)
      }
      return 0
    }
  }

  /// Whoever ignores SIGPIPE handed that on to this program; a reader that went away ends it quietly all the same.
  private static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    exit(ExitCode.failed.rawValue)
  }
}
