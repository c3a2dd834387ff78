import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

/// Portable mode (docs/formats.md, 3): `base` is private memory; what it mirrors of the file is read and written by calls.
extension Generation {
  static let portableLockByte: Int64 = 1 << 41 - 1
  static let compactionByte: Int64 = 1 << 41 - 2
  static let revalidationByte: Int64 = 1 << 41 - 3
  static let waitersByte: Int64 = 1 << 41 - 4

  /// What `base` holds of the file. Belongs to the index lock.
  struct Mirror {
    /// Up to where; what lies below never changes.
    var end = Header.size
    /// The committed word that goes with it, as it stands in the file; 0 at first.
    var word: UInt64 = 0
    /// That word could not be believed: all of the file was read, and nothing of it counts as known.
    var isUntrusted = false
  }

  enum Refresh: Equatable {
    case done
    /// The errno; the mirror is as it was.
    case failed(Int32)
    /// The file is not one that continues the mirror: it has to be opened anew.
    case outdated
  }
}

extension UnsafeMutablePointer where Pointee == Generation {
  // MARK: The lock

  /// A lock that has a time-out has to be asked for again and again.
  func lockPortable(_ deadline: inout Deadline) -> SatchelError.Code? {
    letWaitersGoFirst(&deadline)
    var error = scs_ofd_lock(pointee.descriptor, Generation.portableLockByte, true)
    if error == EAGAIN {
      // Says so to whoever has it and would take it again at once: it is free for microseconds, a sync holds it for longer.
      _ = scs_ofd_lock(pointee.descriptor, Generation.waitersByte, false)
      error = waitForLock(&deadline)
      _ = scs_ofd_unlock(pointee.descriptor, Generation.waitersByte)
    }
    if error == EAGAIN { return .timeout }
    return error == 0 ? nil : SatchelError.Code(errno: error)
  }

  /// EAGAIN when the deadline has passed.
  private func waitForLock(_ deadline: inout Deadline) -> Int32 {
    var pause: UInt32 = 50
    var error = EAGAIN
    while error == EAGAIN, !deadline.hasPassed {
      usleep(pause)
      pause = Swift.min(pause * 2, 1_000)
      error = scs_ofd_lock(pointee.descriptor, Generation.portableLockByte, true)
    }
    return error
  }

  /// Who has just let go steps back for longer than a waiter sleeps.
  private func letWaitersGoFirst(_ deadline: inout Deadline) {
    guard scs_monotonic_ns() - pointee.releasedAt < 2_000_000,
      scs_ofd_held(pointee.descriptor, Generation.waitersByte), !deadline.hasPassed
    else { return }
    usleep(2_000)
  }

  func unlockPortable() {
    pointee.releasedAt = scs_monotonic_ns()
    if scs_ofd_unlock(pointee.descriptor, Generation.portableLockByte) == 0 { return }
    // Nobody could write any more: the lock goes with its description.
    _ = reopen()
  }

  /// Gives the descriptor a description of its own, since locks belong to that: a forked child shares its parent's. 0 or an
  /// errno.
  func reopen() -> Int32 {
    let error = scs_reopen(pointee.descriptor, pointee.isWritable)
    if error == 0 { pointee.opener = ProcessMark.mine }
    return error
  }

  // MARK: Reading

  /// Index lock held. Brings the mirror up to the file. `isLocked`: the caller holds the domain's lock.
  func refresh(isLocked: Bool) -> Generation.Refresh {
    if !isLocked { revalidate() }
    var word: UInt64 = 0
    let error = read(committed: &word)
    if error != 0 { return .failed(error) }
    // Under the lock the size counts too: a writer must not build on what is no longer there.
    if word == pointee.mirror.word, !isLocked { return .done }
    var size = 0
    if let error = look(at: &size) { return .failed(error) }
    guard let length = CommitWord.checkedLength(word, fields), length <= size else {
      return isLocked ? .outdated : mirrorUntrusted(word, size)
    }
    if pointee.mirror.isUntrusted || length < pointee.mirror.end { return .outdated }
    if length > pointee.mirror.end {
      // Once more: what was cached before the word was read may be older than the word.
      if !isLocked { revalidate() }
      let error = read(from: pointee.mirror.end, to: length)
      if error != 0 { return .failed(error) }
    }
    adopt(word, end: length)
    return .done
  }

  /// Index lock held. The mirror is whole up to `end`, and the file says `word`.
  func adopt(_ word: UInt64, end: Int) {
    pointee.mirror = Generation.Mirror(end: end, word: word)
    self.word(Header.committed).pointee.store(word, ordering: .releasing)
  }

  /// A lock, on whichever byte, makes a network file system look at its server again. Nobody keeps this one: readers neither
  /// wait for a writer nor hold one up. Where it cannot be had, reading goes on with what is cached.
  private func revalidate() {
    if scs_ofd_lock(pointee.descriptor, Generation.revalidationByte, false) == 0 {
      _ = scs_ofd_unlock(pointee.descriptor, Generation.revalidationByte)
    }
  }

  /// 0 or an errno. A word that is read while it is written may be torn: it is damaged only where it stays so.
  private func read(committed word: inout UInt64) -> Int32 {
    var error: Int32 = 0
    for attempt in 0..<3 {
      if attempt > 0 { usleep(1000) }
      error = scs_pread_all(pointee.descriptor, &word, 8, Int64(Header.committed))
      if error != 0 || word == pointee.mirror.word || CommitWord.checkedLength(word, fields) != nil { break }
    }
    return error
  }

  private func read(from: Int, to: Int) -> Int32 {
    scs_pread_all(pointee.descriptor, pointee.base + from, to - from, Int64(from))
  }

  private func look(at size: inout Int) -> Int32? {
    var info = stat()
    guard fstat(pointee.descriptor, &info) == 0 else { return errno }
    size = Int(info.st_size)
    return nil
  }

  /// The committed word is damaged or the file shorter. Who opens it without being able to recover it reads everything and
  /// judges by itself. Who may write leaves it to the next writer and goes on with what was known.
  private func mirrorUntrusted(_ word: UInt64, _ size: Int) -> Generation.Refresh {
    // Others are reading what is mirrored already.
    if pointee.mirror.word != 0 { return pointee.isWritable ? .failed(EILSEQ) : .outdated }
    let error = mirrorWhole()
    if error != 0 { return .failed(error) }
    pointee.mirror = Generation.Mirror(word: word, isUntrusted: true)
    self.word(Header.committed).pointee.store(word, ordering: .releasing)
    return .done
  }

  /// Reads all of the file, header included, before anybody else uses this generation. 0 or an errno.
  func mirrorWhole() -> Int32 {
    var size = 0
    if let error = look(at: &size) { return error }
    return read(from: 0, to: Swift.min(size, Generation.reserve))
  }

  // MARK: Writing

  /// Copies a stretch of `base` into the file. 0 or an errno.
  func writeBack(_ offset: Int, _ count: Int) -> Int32 {
    scs_pwrite_all(pointee.descriptor, pointee.base + offset, count, Int64(offset))
  }

  /// 0 or an errno. Synced, so that other machines find what is acknowledged; the mirror follows when it is adopted. What is
  /// refused is taken back where that can be done: an error is to mean that nothing has changed.
  func commitPortable(_ new: UInt64) -> Int32 {
    let old = word(Header.committed).pointee.load(ordering: .relaxed)
    var error = write(committed: new)
    if error == 0 {
      faultPoint("portable.committed")
      error = syncData()
    }
    if error != 0 { _ = write(committed: old) }
    return error
  }

  private func write(committed word: UInt64) -> Int32 {
    var word = word
    return scs_pwrite_all(pointee.descriptor, &word, 8, Int64(Header.committed))
  }

  func syncData() -> Int32 {
    if fdatasync(pointee.descriptor) == 0 { return 0 }
    let error = errno
    pointee.hasFailedToSync = true
    return error
  }
}
