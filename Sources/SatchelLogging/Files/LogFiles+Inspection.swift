import CSatchelSystem
import Glibc
import SatchelSystem

extension LogFiles {
  /// What a name leads to.
  enum Inspection {
    /// Nothing, or no regular file: links are not followed.
    case absent
    case unreadable(Int32)
    case file(stat, isOurs: Bool)
  }

  func inspect(_ name: LogFileName) -> Inspection {
    // Looked at before it is opened: opening a device may do something.
    guard let found = regularFile(name) else { return .absent }
    let descriptor = openat(directory, name.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return .unreadable(errno) }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { return .unreadable(errno) }
    guard LogFiles.isSame(info, found) else { return .absent }
    guard let start = LogFiles.start(descriptor) else { return .unreadable(errno) }
    return .file(info, isOurs: LogFiles.isOurs(start))
  }

  func regularFile(_ name: LogFileName) -> stat? {
    var info = stat()
    guard fstatat(directory, name.text, &info, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    return info.st_mode & S_IFMT == S_IFREG ? info : nil
  }

  static func isSame(_ a: stat, _ b: stat) -> Bool { a.st_dev == b.st_dev && a.st_ino == b.st_ino }

  private static func start(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: dateShape.count)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count < 0 ? nil : Array(bytes.prefix(count))
  }

  /// What the first line of a file in one of the formats begins with: a time, an object of JSON, or the field `time` of logfmt.
  private static func isOurs(_ start: [UInt8]) -> Bool {
    if start.isEmpty || start.first == UInt8(ascii: "{") || start.starts(with: "time=".utf8) { return true }
    return start.count == dateShape.count && zip(start, dateShape).allSatisfy(fits)
  }

  /// 0 stands for any digit.
  private static let dateShape = Array("0000-00-00T00:00:00.".utf8)

  private static func fits(_ byte: UInt8, _ shape: UInt8) -> Bool {
    shape == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) : byte == shape
  }
}
