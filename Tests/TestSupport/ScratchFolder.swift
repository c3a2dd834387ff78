import Glibc

/// A new, empty folder that goes away with the object, whatever is in it by then.
public final class ScratchFolder: Sendable {
  /// Absolute, without a slash at the end.
  public let path: String

  /// Made below `$TMPDIR` or `/tmp`, for this user alone. Stops the test run where that is not possible: without a
  /// place of their own, tests would write into the user's settings.
  public init(_ name: String = "satchel") {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/" + name + "-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no scratch folder below \(base): errno \(errno)") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// The path of something in the folder.
  public func file(_ name: String) -> String { path + "/" + name }

  private static func remove(_ path: String) {
    chmod(path, 0o700)
    empty(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    rmdir(path)
  }

  /// Removes what is in a folder, links themselves and not what they point at, and closes the descriptor.
  /// Names stay bytes: a test may have made some that are not UTF-8.
  private static func empty(_ descriptor: Int32) {
    guard descriptor >= 0, let folder = fdopendir(descriptor) else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = UnsafeRawPointer(entry).advanced(by: nameOffset).assumingMemoryBound(to: CChar.self)
      if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || unlinkat(descriptor, name, 0) == 0 { continue }
      fchmodat(descriptor, name, 0o700, 0)
      empty(openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
      unlinkat(descriptor, name, AT_REMOVEDIR)
    }
  }

  private static var nameOffset: Int { MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0 }
}
