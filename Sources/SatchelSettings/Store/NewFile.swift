import CSatchelSystem
import Glibc
import SatchelSystem

/// A domain file in the making: nameless where the file system can do that, so that a kill leaves nothing behind.
struct NewFile: ~Copyable {
  /// What a new domain is given, and what no compaction takes away from it.
  static let firstRoom = 64 << 10

  let descriptor: Int32
  private let temporary: String?

  init(for path: String) throws(SatchelError) {
    // A nameless file gets its name through /proc.
    let hasProc = access("/proc/self/fd", X_OK) == 0
    let nameless = hasProc ? scs_open_nameless(Folders.parent(of: path) ?? ".", 0o600) : -ENOENT
    if nameless >= 0 {
      descriptor = nameless
      temporary = nil
      return
    }
    var number: UInt64 = 0
    _ = scs_random(&number, 8)
    let name = Folders.sibling(of: path, suffix: ".new-\(String(number, radix: 16))")
    descriptor = scs_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw SatchelError(errno: -descriptor, "cannot create", path: path) }
    temporary = name
  }

  deinit {
    if let temporary { unlink(temporary) }
    Glibc.close(descriptor)
  }

  /// Allocates `room` bytes and stores the header of a file whose records end at `end`.
  func writeHeader(_ fields: HeaderFields, end: Int, room: Int) throws(SatchelError) {
    try allocate(from: 0, to: room)
    let page = UnsafeMutableRawPointer.allocate(byteCount: Header.size, alignment: 64)
    defer { page.deallocate() }
    fields.write(page: page, end: end)
    try write(UnsafeRawBufferPointer(start: page, count: Header.size), at: 0)
  }

  /// Nothing may have been written at `start` and beyond: where nothing can be allocated, zeros are written.
  func allocate(from start: Int, to room: Int) throws(SatchelError) {
    let error = FileSystem.allocate(descriptor, from: start, to: room)
    if error != 0 { throw SatchelError(errno: error, "no room for a new file") }
    _ = scs_reserve(descriptor, Int64(room), Int64(FileSystem.reserve))
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SatchelError) {
    let error = scs_pwrite_all(descriptor, bytes.baseAddress, bytes.count, Int64(offset))
    if error != 0 { throw SatchelError(errno: error, "cannot write a new file") }
  }

  func sync() throws(SatchelError) {
    if fdatasync(descriptor) != 0 { throw SatchelError(errno: errno, "cannot sync a new file") }
  }

  /// Gives it its name if nobody else's file has it.
  func publish(as path: String) throws(SatchelError) {
    try sync()
    let error = name(path)
    if error != 0, error != EEXIST { throw SatchelError(errno: error, "cannot create", path: path) }
    Folders.sync(folderOf: path)
  }

  /// Gives it its name in place of whatever has it.
  func replace(_ path: String) throws(SatchelError) {
    let next = Folders.sibling(of: path, suffix: ".next")
    unlink(next)
    var error = name(next)
    if error == 0, rename(next, path) != 0 {
      error = errno
      unlink(next)
    }
    if error != 0 { throw SatchelError(errno: error, "cannot replace", path: path) }
  }

  private func name(_ path: String) -> Int32 {
    guard let temporary else { return scs_link_nameless(descriptor, path) }
    return link(temporary, path) == 0 ? 0 : errno
  }
}
