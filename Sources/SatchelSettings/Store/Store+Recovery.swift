import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension UnsafeMutablePointer where Pointee == Store {
  /// Takes the lock and recovers where `committed` cannot be believed.
  func recoverIfNeeded(_ generation: GenerationPointer) throws(SatchelError) {
    guard needsRecovery(generation) else { return }
    var deadline = Deadline(timeout: max(pointee.options.lockTimeout, 30_000_000_000))
    if let code = generation.lock(&deadline) {
      generation.destroy()
      throw failure(code, "cannot get the lock to recover the file")
    }
    let error = recoverLocked(generation)
    generation.unlock()
    guard error != 0 else { return }
    generation.destroy()
    throw SatchelError(errno: error, "cannot recover", path: pointee.path)
  }

  /// 0 or an errno, in portable mode only: whoever comes next does it again.
  private func recoverLocked(_ generation: GenerationPointer) -> Int32 {
    // Another process may have done it since: the mirror does not show that by itself.
    let error = generation.isPortable ? generation.mirrorWhole() : 0
    return error == 0 && needsRecovery(generation) ? recover(generation) : error
  }

  /// True when another boot wrote `committed`, a bit of it is damaged, or the file is too short for it.
  func needsRecovery(_ generation: GenerationPointer) -> Bool {
    guard generation.isBelieved else { return true }
    guard let length = CommitWord.checkedLength(generation.committed, generation.fields) else { return true }
    if length <= generation.pointee.capacity { return false }
    generation.pointee.capacity = generation.fileSize
    return length > generation.pointee.capacity
  }

  /// Lock held. Decides the accepted length; the boot id is stored last, so dying here only means doing it again.
  private func recover(_ generation: GenerationPointer) -> Int32 {
    var walk = generation.survey { _, _ in }
    let damaged = walk.damagedRecords + generation.walkSnapshot { _, _ in }.damagedRecords
    if damaged > 0 || walk.droppedBytes > 0 { keepAside(generation) }
    guard restorePast(generation), noteLoss(generation, &walk) else {
      // Read as it is found, and not written, until there is room.
      pointee.readOnlyReason = .full
      return 0
    }
    let word = CommitWord.pack(walk.end, salt: generation.fields.salt)
    let error = generation.commit(word)
    if error != 0 { return error }
    faultPoint("recover.committed")
    // What is accepted now must not be lost by the next power cut: what lies below `durable` is believed without doubt.
    if fdatasync(generation.pointee.descriptor) == 0 {
      generation.setDurable(word)
      if generation.isPortable { _ = generation.writeBack(Header.durable, 8) }
    }
    faultPoint("recover.durable")
    generation.word(Header.boot).pointee.store(
      generation.isPortable ? 0 : Identity.boot, ordering: .sequentiallyConsistent)
    return 0
  }

  /// A file that was cut inside its snapshot or history gets its length back: the log has its place behind them. What is
  /// missing there is zeros, which are damage to whoever reads them. False where there is no room.
  private func restorePast(_ generation: GenerationPointer) -> Bool {
    let start = generation.fields.historyEnd
    guard generation.fileEnd < start else { return true }
    let hasSnapshot = generation.fileEnd >= generation.fields.snapshotEnd
    let end = hasSnapshot ? generation.walkHistory { _, _ in }.end : generation.walkSnapshot { _, _ in }.end
    let found = generation.fileSize
    guard makeRoom(generation, to: start) else { return false }
    // New room is zero.
    memset(generation.base + end, 0, max(found - end, 0))
    return found <= end || generation.flush(from: end, to: found) == 0
  }

  /// Says in the log what power took. False where there is no room for it.
  private func noteLoss(_ generation: GenerationPointer, _ walk: inout LogWalk) -> Bool {
    guard let loss = walk.loss, walk.lastRevision + 1 < Frame.revisionLimit else { return true }
    let note = Note(kind: loss, bytes: walk.droppedBytes)
    let record = note.record(revision: walk.lastRevision + 1, store: self)
    defer { record.value.deallocate() }
    guard makeRoom(generation, to: walk.end + record.size) else { return false }
    let prev = walk.lastCRC
    let crc = record.store(at: generation.base + walk.end, prev: prev, salt: generation.fields.salt)
    guard generation.flush(from: walk.end, to: walk.end + record.size) == 0 else { return false }
    walk.append(size: record.size, crc: crc, revision: record.revision)
    return true
  }

  private func makeRoom(_ generation: GenerationPointer, to end: Int) -> Bool {
    let size = generation.fileSize
    if end <= size { return true }
    return FileSystem.extend(generation.pointee.descriptor, from: size, to: (end + (64 << 10)) & ~4095) == 0
  }

  /// A copy of the file as it was found.
  func keepAside(_ generation: GenerationPointer) {
    var copy: Int32 = -1
    let error = Store.unusedAsideName(pointee.path, generation: generation.fields.generation) { name in
      copy = scs_open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      return copy >= 0 ? 0 : -copy
    }
    guard error == 0 else { return }
    defer { Glibc.close(copy) }
    var offset = 0
    let step = 1 << 20
    guard let buffer = malloc(step) else { return }
    defer { free(buffer) }
    while true {
      let count = pread(generation.pointee.descriptor, buffer, step, off_t(offset))
      guard count > 0, scs_pwrite_all(copy, buffer, count, Int64(offset)) == 0 else { return }
      offset += count
    }
  }
}

extension UnsafeMutablePointer where Pointee == Generation {
  /// What may be touched of the file.
  var fileEnd: Int { min(fileSize, Generation.reserve) & ~7 }

  /// The log of a file whose `committed` cannot be believed, as far as it can be. Changes nothing: readers without permission
  /// live on this.
  func survey(visit: (LogItem, Int) -> Void) -> LogWalk {
    let fileEnd = fileEnd
    let start = fields.historyEnd
    let committed = CommitWord.checkedLength(self.committed, fields)
    let durable = CommitWord.checkedLength(word(Header.durable).pointee.load(ordering: .relaxed), fields) ?? start
    let known = committed ?? durable
    let trusted = isBelieved ? known : min(durable, known)
    var walk = LogWalk(
      base: UnsafeRawPointer(base), fields: fields, from: start, lastCRC: fields.salt,
      lastRevision: fields.baseRevision)
    if trusted > fileEnd {
      walk.walkCutShort(to: fileEnd, visit: visit)
    } else {
      walk.walk(to: trusted, visit: visit)
      walk.walkChain(to: fileEnd, committed: known, visit: visit)
    }
    walk.conclude(known: known, fileEnd: fileEnd, visit: visit)
    return walk
  }

  func walkSnapshot(visit: (LogItem, Int) -> Void) -> LogWalk {
    walkPast(from: Header.size, to: fields.snapshotEnd, visit)
  }

  func walkHistory(visit: (LogItem, Int) -> Void) -> LogWalk {
    walkPast(from: fields.snapshotEnd, to: fields.historyEnd, visit)
  }

  private func walkPast(from: Int, to: Int, _ visit: (LogItem, Int) -> Void) -> LogWalk {
    var walk = LogWalk(
      base: UnsafeRawPointer(base), fields: fields, from: from, lastCRC: fields.salt, lastRevision: 0)
    let fileEnd = fileEnd
    if fileEnd < to, from < to {
      walk.walkCutShort(to: fileEnd, visit: visit)
      walk.loseRest(visit: visit)
    } else {
      walk.walk(to: to, visit: visit)
    }
    walk.conclude(known: 0, fileEnd: fileEnd, visit: visit)
    return walk
  }
}
