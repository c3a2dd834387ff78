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
  static let portableLockByte: Int64 = 1 << 41 - 1
  static let compactionByte: Int64 = 1 << 41 - 2

  let base: UnsafeMutableRawPointer
  let descriptor: Int32
  let device: UInt64
  let inode: UInt64
  let fields: HeaderFields
  let isWritable: Bool
  /// Who opened it: a portable lock is shared with a forked child unless that opens the file anew.
  let opener: UInt64
  /// A lower bound of the allocated size; files never shrink. Belongs to the writer lock.
  var capacity: Int
  /// The same, known to readers. Belongs to the index lock.
  var readable: Int
  /// Views and sleepers; the last one unmaps.
  let references = Atomic<Int>(0)
  /// Whose byte is locked on `descriptor`. Belongs to the writer lock.
  var byteOwner: UInt64 = 0
  /// A log that ends beyond this is worth compacting. Belongs to the writer lock.
  var compactAt: Int
  /// Up to where pages have been asked for ahead of their use. Belongs to the writer lock.
  var populated = 0
  /// How much of the file `base` mirrors. Portable mode; belongs to the index lock.
  var mirrored = Header.size
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

  // MARK: The words that change

  @inline(__always)
  var committed: UInt64 { word(Header.committed).pointee.load(ordering: .acquiring) }

  /// Publishes everything stored below its length. 0 or an errno, in portable mode only.
  func commit(_ value: UInt64) -> Int32 {
    word(Header.committed).pointee.store(value, ordering: .releasing)
    return isPortable ? writeBack(Header.committed, 8) : 0
  }

  func raiseDurable(_ value: UInt64) {
    let known = word(Header.durable).pointee.load(ordering: .relaxed)
    if let old = CommitWord.checkedLength(known, fields), old >= CommitWord.length(value) { return }
    setDurable(value)
  }

  func setDurable(_ value: UInt64) {
    word(Header.durable).pointee.store(value & ~CommitWord.retired, ordering: .releasing)
    if isPortable { _ = writeBack(Header.durable, 8) }
  }

  /// Portable mode: copies a stretch of `base` into the file. 0 or an errno.
  func writeBack(_ offset: Int, _ count: Int) -> Int32 {
    scs_pwrite_all(pointee.descriptor, pointee.base + offset, count, Int64(offset))
  }

  /// Makes what was stored in [from, to) part of the file before it is committed. 0 or an errno.
  @inline(__always)
  func flush(from: Int, to: Int) -> Int32 {
    guard isPortable else { return 0 }
    let error = writeBack(from, to - from)
    if error != 0 { return error }
    return fdatasync(pointee.descriptor) == 0 ? 0 : errno
  }

  /// True when a file system without shared maps is told to behave, or the words of the header can be believed at once.
  var isBelieved: Bool {
    isPortable || word(Header.boot).pointee.load(ordering: .acquiring) == Identity.boot
  }

  // MARK: The lock

  func lock(_ deadline: inout Deadline) -> SatchelError.Code? {
    if isPortable { return lockPortable(&deadline) }
    if pointee.byteOwner != Identity.mine {
      // Held before the lock is: who judges it from another namespace must find it.
      _ = scs_ofd_lock(pointee.descriptor, Identity.lockByte(of: Identity.mine), false)
      pointee.byteOwner = Identity.mine
    }
    return SharedLock.acquire(word(Header.lock), &deadline, descriptor: pointee.descriptor)
  }

  func unlock() {
    if isPortable {
      _ = scs_ofd_unlock(pointee.descriptor, Generation.portableLockByte)
    } else {
      SharedLock.release(word(Header.lock))
    }
  }

  private func lockPortable(_ deadline: inout Deadline) -> SatchelError.Code? {
    var pause: UInt32 = 50
    while true {
      let error = scs_ofd_lock(pointee.descriptor, Generation.portableLockByte, true)
      if error == 0 { return nil }
      guard error == EAGAIN else { return SatchelError.Code(errno: error) }
      if deadline.hasPassed { return .timeout }
      usleep(pause)
      pause = min(pause * 2, 5_000)
    }
  }

  /// Portable mode, index lock held: brings the mirror up to the file. `isLocked`: the caller holds the lock already.
  func refresh(isLocked: Bool) {
    let fd = pointee.descriptor
    if !isLocked {
      while scs_ofd_lock(fd, Generation.portableLockByte, false) == EAGAIN { usleep(200) }
    }
    defer { if !isLocked { _ = scs_ofd_unlock(fd, Generation.portableLockByte) } }
    var value: UInt64 = 0
    guard scs_pread_all(fd, &value, 8, Int64(Header.committed)) == 0 else { return }
    let size = fileSize
    guard let length = CommitWord.checkedLength(value, fields), length <= size else {
      // A damaged word or a file cut short: all of it is looked at.
      _ = scs_pread_all(fd, pointee.base, min(size, Generation.reserve), 0)
      return
    }
    if length > pointee.mirrored {
      let from = pointee.mirrored
      guard scs_pread_all(fd, pointee.base + from, length - from, Int64(from)) == 0 else { return }
    }
    pointee.mirrored = length
    word(Header.committed).pointee.store(value, ordering: .releasing)
  }
}
