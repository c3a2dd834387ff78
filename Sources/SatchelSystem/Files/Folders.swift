import CSatchelSystem
import Glibc

/// Well-known folders of the XDG base directory specification.
package enum Folders {
  /// `$XDG_CONFIG_HOME/satchel`, or below `$HOME/.config`. Throws where neither is set: nothing is ever put elsewhere.
  package static func configuration() throws(SatchelError) -> String {
    try folder("XDG_CONFIG_HOME", orInHome: ".config")
  }

  /// `$XDG_STATE_HOME/satchel`, or below `$HOME/.local/state`. Throws where neither is set.
  package static func state() throws(SatchelError) -> String { try folder("XDG_STATE_HOME", orInHome: ".local/state") }

  private static func folder(_ variable: String, orInHome name: String) throws(SatchelError) -> String {
    // A relative one is to be ignored, says the specification.
    if let folder = environment(variable), folder.utf8.first == UInt8(ascii: "/") { return folder + "/satchel" }
    guard let home else {
      throw SatchelError(.io, "HOME is not set: set HOME or \(variable), or name a directory", systemError: ENOENT)
    }
    guard home.utf8.first == UInt8(ascii: "/") else {
      throw SatchelError(.io, "HOME is not an absolute path", systemError: ENOENT, path: home)
    }
    return "\(home)/\(name)/satchel"
  }

  private static var home: String? { environment("HOME").map(withoutLastSlashes) }

  /// The name that every spelling of a folder's path is compared by.
  private static func withoutLastSlashes(_ path: String) -> String {
    var path = path
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    return path
  }

  private static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Throws where `folder` lies in a home that does not exist: a wrong HOME is not a home without settings.
  package static func checkHome(of folder: String) throws(SatchelError) {
    guard let home, folder.utf8.starts(with: (home + "/").utf8) else { return }
    if access(home, F_OK) != 0, errno == ENOENT { throw missing(home) }
  }

  private static func missing(_ home: String) -> SatchelError {
    let reason = "the home folder does not exist: set HOME or XDG_CONFIG_HOME, or name a directory"
    return SatchelError(.io, reason, systemError: ENOENT, path: home)
  }

  /// Makes `path` and what is missing above it, each with mode 0700. A home that does not exist is not made.
  package static func create(_ path: String) throws(SatchelError) {
    if isDirectory(path) { return }
    if let home, withoutLastSlashes(path) == home { throw missing(home) }
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let parent = parent(of: path), parent != path else {
      throw SatchelError(errno: errno, "cannot make the folder", path: path)
    }
    try create(parent)
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw SatchelError(errno: errno, "cannot make the folder", path: path)
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }

  package static func parent(of path: String) -> String? {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    let parent = String(path[..<slash])
    return parent.isEmpty ? "/" : parent
  }

  /// The name of a file beside `path`: its own with something behind it. Where that were too long for a file name, less of it,
  /// with its hash.
  package static func sibling(of path: String, suffix: String) -> String {
    let folder = parent(of: path) ?? "."
    let name = path.utf8.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? []
    guard name.count + suffix.utf8.count > 250 else { return path + suffix }
    let hash = String(scs_hash(0, name, name.count), radix: 16)
    return "\(folder)/\(String(decoding: name.prefix(180), as: UTF8.self))-\(hash)\(suffix)"
  }

  /// Where a chain of symbolic links ends, also when nothing is there yet. An absolute path, so that it still leads there when
  /// the program has gone to another folder.
  package static func resolve(_ path: String) throws(SatchelError) -> String {
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    var current = absolute(path)
    for _ in 0..<40 {
      var target = [UInt8](repeating: 0, count: 4096)
      let count = target.withUnsafeMutableBytes { bytes in
        bytes.withMemoryRebound(to: CChar.self) { text in
          text.baseAddress.map { readlink(current, $0, text.count) } ?? -1
        }
      }
      guard count > 0 else { return current }
      let text = String(decoding: target[..<count], as: UTF8.self)
      let isAbsolute = text.utf8.first == UInt8(ascii: "/")
      current = isAbsolute ? text : (parent(of: current) ?? ".") + "/" + text
    }
    throw SatchelError(errno: ELOOP, "cannot follow the link", path: path)
  }

  private static func absolute(_ path: String) -> String {
    guard path.utf8.first != UInt8(ascii: "/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// Makes a rename or a new name in the folder of `path` survive a power cut.
  package static func sync(folderOf path: String) {
    let descriptor = scs_open(parent(of: path) ?? ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
