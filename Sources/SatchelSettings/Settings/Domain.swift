import Glibc
import SatchelSystem

/// Names of domains and the files they live in.
package enum Domain {
  package static let suffix = ".satchel"

  /// 1 to 255 bytes of `A-Z a-z 0-9 . _ -`, no leading dot; `global` is reserved.
  static func check(_ name: String) throws(SatchelError) {
    let bytes = name.utf8
    func fail(_ code: SatchelError.Code, _ reason: String) -> SatchelError {
      SatchelError(code, "not a domain name: \(reason)", domain: name)
    }
    guard !bytes.isEmpty else { throw fail(.invalid, "it is empty") }
    guard bytes.count <= 255 else { throw fail(.range, "it has \(bytes.count) bytes, 255 is the most") }
    guard bytes.first != UInt8(ascii: ".") else { throw fail(.invalid, "it begins with a dot") }
    guard bytes.allSatisfy(isAllowed) else { throw fail(.invalid, "only A-Z a-z 0-9 . _ - may be in it") }
    guard bytes.count + suffix.utf8.count <= 255 else {
      throw fail(.range, "its file's name would have more than 255 bytes; 247 are the most here")
    }
    guard name != "global" else { throw fail(.invalid, "it is reserved") }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  static func path(of name: String, in directory: String?) throws(SatchelError) -> String {
    try check(name)
    return try naming(name) { () throws(SatchelError) in try folder(directory) + "/" + name + suffix }
  }

  /// For a domain that is not there: throws where its home is not there either.
  static func checkHome(of name: String, in directory: String?) throws(SatchelError) {
    if directory != nil { return }
    try naming(name) { () throws(SatchelError) in try Folders.checkHome(of: try Folders.configuration()) }
  }

  private static func naming<R>(_ name: String, _ body: () throws(SatchelError) -> R) throws(SatchelError) -> R {
    do throws(SatchelError) { return try body() } catch {
      var error = error
      error.domain = name
      throw error
    }
  }

  private static func folder(_ directory: String?) throws(SatchelError) -> String {
    if let directory { return directory }
    return try Folders.configuration()
  }

  /// The domains in a folder, sorted by name. A folder that does not exist has none; a home that does not is an error.
  static func all(in directory: String?) throws(SatchelError) -> [String] {
    let folder = try folder(directory)
    guard let stream = opendir(folder) else {
      guard errno == ENOENT else { throw SatchelError(errno: errno, "cannot list", path: folder) }
      if directory == nil { try Folders.checkHome(of: folder) }
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count, isFile(name, in: stream) else { continue }
      let domain = String(name.dropLast(suffix.count))
      guard (try? check(domain)) != nil else { continue }
      try names.claimRoom()
      try Memory.claim(domain.utf8.count + 64)
      names.append(domain)
    }
    return names.sorted()
  }

  /// A folder, a pipe or a link that leads nowhere is no domain, whatever its name.
  private static func isFile(_ name: String, in stream: OpaquePointer) -> Bool {
    var info = stat()
    return fstatat(dirfd(stream), name, &info, 0) == 0 && info.st_mode & S_IFMT == S_IFREG
  }
}
