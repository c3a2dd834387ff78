import CSatchelSystem
import Glibc
import SatchelSystem

/// The log files of one app in a directory that others may use too. Only what is called as this app's files are is ever seen, and
/// of that only regular files in the directory itself.
package struct LogFiles {
  /// Of the directory; it stays the caller's. Nothing is done by path, so that another directory in its place is not touched.
  package let directory: Int32
  package let app: String

  package init(directory: Int32, app: String) {
    self.directory = directory
    self.app = app
  }

  package struct File: Sendable, Hashable {
    package let name: LogFileName
    package let size: Int64
    /// It is empty, or begins as one of the formats does. Others are somebody's own: they are never removed.
    package let isOurs: Bool
  }

  /// What could not be read or removed, and the errno of it.
  package struct Failure: Sendable, Hashable {
    package let name: LogFileName
    package let error: Int32
  }

  package struct Listing: Sendable {
    /// Newest first.
    package var files: [File] = []
    package var unreadable: [Failure] = []
  }

  /// Throws where the directory itself cannot be read.
  package func list() throws(SatchelError) -> Listing {
    var listing = Listing()
    for name in try names().sorted(by: >) {
      switch inspect(name) {
      case .absent: break
      case .unreadable(let error): listing.unreadable.append(Failure(name: name, error: error))
      case .file(let info, let isOurs):
        listing.files.append(File(name: name, size: Int64(info.st_size), isOurs: isOurs))
      }
    }
    return listing
  }

  /// The names that a file of this app can have, in no order.
  private func names() throws(SatchelError) -> [LogFileName] {
    // With a position of its own: the caller's descriptor may be used by others.
    let own = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0, let stream = fdopendir(own) else {
      let error = errno
      if own >= 0 { close(own) }
      throw SatchelError(errno: error, "cannot read the log directory")
    }
    defer { closedir(stream) }
    var result: [LogFileName] = []
    while let text = try LogFiles.next(in: stream) {
      if let name = LogFileName(text), name.app == app { result.append(name) }
    }
    return result
  }

  private static func next(in stream: OpaquePointer) throws(SatchelError) -> String? {
    errno = 0
    guard let entry = readdir(stream) else {
      guard errno == 0 else { throw SatchelError(errno: errno, "cannot read the log directory") }
      return nil
    }
    // The rest of the structure may not be there to be copied.
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    return String(cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
  }
}

extension LogFiles.Listing {
  /// The file that is written: the newest one that is no direct one.
  package var active: LogFileName? { files.first { !$0.name.isDirect }?.name }
}
