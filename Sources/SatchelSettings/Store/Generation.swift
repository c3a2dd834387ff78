import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// One domain file, mapped. The map is far longer than the file: it never moves, and growth needs no new one. Nothing beyond
/// `committed` (readers) or the allocated size (writers) is ever touched.
///
/// In portable mode (docs/formats.md, 3) `base` is private memory that mirrors the file.
struct Generation: ~Copyable {
  static let reserve = 8 << 30

  let base: UnsafeMutableRawPointer
  let descriptor: Int32
  let device: UInt64
  let inode: UInt64
  let fields: HeaderFields
  let isWritable: Bool
  /// Who opened it: a portable lock is shared with a forked child unless that opens the file anew.
  var opener: UInt64
  /// A lower bound of the allocated size; files never shrink. Belongs to the writer lock.
  var capacity: Int
  /// The same, known to readers. Belongs to the index lock.
  var readable: Int
  /// Views and sleepers; the last one unmaps.
  let references = Atomic<Int>(0)
  /// Whose byte is locked on `descriptor`. Belongs to the writer lock.
  var byteOwner: UInt64 = 0
  /// A log that ends beyond this is worth compacting.
  let compactAt: Atomic<Int>
  /// Up to where pages have been asked for ahead of their use. Belongs to the writer lock.
  var populated = 0
  /// Portable mode; belongs to the index lock.
  var mirror = Mirror()
  /// Portable mode; belongs to the writer lock.
  var hasFailedToSync = false
  var releasedAt: Int64 = 0
}
typealias GenerationPointer = UnsafeMutablePointer<Generation>

extension UnsafeMutablePointer where Pointee == Generation {
  @inline(__always) var base: UnsafeMutableRawPointer { pointee.base }
  @inline(__always) var fields: HeaderFields { pointee.fields }
  @inline(__always) var isPortable: Bool { pointee.fields.isPortable }

  @inline(__always)
  func word(_ offset: Int) -> Word { UnsafeRawPointer(pointee.base).word(at: offset) }

  var sleepWord: HalfWord { UnsafeRawPointer(pointee.base).halfWord(at: Header.sleep) }

  func retain() { pointee.references.add(1, ordering: .relaxed) }

  func release() {
    if pointee.references.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { destroy() }
  }

  /// Unmaps and closes. Nobody may hold a pointer into it.
  func destroy() {
    munmap(pointee.base, Generation.reserve)
    Glibc.close(pointee.descriptor)
    deinitialize(count: 1)
    deallocate()
  }

  var fileSize: Int {
    var info = stat()
    // Where that cannot be found out, what is known to be there.
    return fstat(pointee.descriptor, &info) == 0 ? Int(info.st_size) : max(pointee.capacity, pointee.readable)
  }

  /// True while `path` leads to this file.
  func isAt(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && UInt64(info.st_ino) == pointee.inode && UInt64(info.st_dev) == pointee.device
  }

  /// The same, as the server of a network file system sees it at this moment.
  func isStillAt(_ path: String) -> Bool {
    if isPortable { scs_forget_names(Folders.parent(of: path) ?? ".") }
    return isAt(path)
  }

  // MARK: The words that change

  @inline(__always)
  var committed: UInt64 { word(Header.committed).pointee.load(ordering: .acquiring) }

  /// Publishes everything stored below its length. 0 or an errno, in portable mode only.
  func commit(_ value: UInt64) -> Int32 {
    if isPortable { return commitPortable(value) }
    word(Header.committed).pointee.store(value, ordering: .releasing)
    return 0
  }

  /// In portable mode this process keeps it to itself: writing without the lock could put an old `committed` back, on a file
  /// system that writes pages.
  func raiseDurable(_ value: UInt64) {
    let known = word(Header.durable).pointee.load(ordering: .relaxed)
    if let old = CommitWord.checkedLength(known, fields), old >= CommitWord.length(value) { return }
    setDurable(value)
  }

  func setDurable(_ value: UInt64) {
    word(Header.durable).pointee.store(value & ~CommitWord.retired, ordering: .releasing)
  }

  /// Makes what was stored in [from, to) part of the file before it is committed. 0 or an errno.
  @inline(__always)
  func flush(from: Int, to: Int) -> Int32 {
    guard isPortable else { return 0 }
    let error = writeBack(from, to - from)
    faultPoint("portable.written")
    return error != 0 ? error : syncData()
  }

  /// True when a file system without shared maps is told to behave, or the words of the header can be believed at once.
  var isBelieved: Bool {
    isPortable || word(Header.boot).pointee.load(ordering: .acquiring) == Identity.boot
  }

  // MARK: The lock

  func lock(_ deadline: inout Deadline) -> SatchelError.Code? {
    if isPortable { return lockPortable(&deadline) }
    holdByte()
    return SharedLock.acquire(word(Header.lock), &deadline, descriptor: pointee.descriptor)
  }

  /// Without waiting; false in portable mode, where that takes time.
  @inline(__always)
  func tryLock() -> Bool {
    if isPortable { return false }
    holdByte()
    return SharedLock.attempt(word(Header.lock))
  }

  @inline(__always)
  private func holdByte() {
    if pointee.byteOwner != Identity.mine {
      // Held before the lock is: who judges it from another namespace must find it.
      _ = scs_ofd_lock(pointee.descriptor, Identity.lockByte(of: Identity.mine), false)
      pointee.byteOwner = Identity.mine
    }
  }

  func unlock() {
    if isPortable { return unlockPortable() }
    SharedLock.release(word(Header.lock))
  }
}
