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
    defer { generation.unlock() }
    if needsRecovery(generation) { recover(generation) }
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
  private func recover(_ generation: GenerationPointer) {
    if generation.isPortable { mirrorWholeFile(generation) }
    var walk = survey(generation) { _, _ in }
    if walk.damagedRecords > 0 || walk.droppedBytes > 0 { keepAside(generation) }
    // Cut inside the snapshot or the history: the log goes on where it has its place, and the zeros before it are damage.
    let start = generation.fields.historyEnd
    if walk.end < start, makeRoom(generation, to: start) {
      memset(generation.base + walk.end, 0, start - walk.end)
      walk.restartLog(at: start)
    }
    noteLoss(generation, &walk)
    _ = generation.commit(CommitWord.pack(walk.end, salt: generation.fields.salt))
    faultPoint("recover.committed")
    // What is accepted now must not be lost by the next power cut: what lies below `durable` is believed without doubt.
    if fdatasync(generation.pointee.descriptor) == 0 {
      generation.raiseDurable(CommitWord.pack(walk.end, salt: generation.fields.salt))
    }
    faultPoint("recover.durable")
    generation.word(Header.boot).pointee.store(
      generation.isPortable ? 0 : Identity.boot, ordering: .sequentiallyConsistent)
  }

  private func mirrorWholeFile(_ generation: GenerationPointer) {
    let size = min(generation.fileSize, Generation.reserve)
    _ = scs_pread_all(generation.pointee.descriptor, generation.base, size, 0)
  }

  /// Says in the log what power took, or that records of unknown keys are damaged. Where there is no room it goes unsaid.
  private func noteLoss(_ generation: GenerationPointer, _ walk: inout LogWalk) {
    guard walk.droppedBytes > 0 else { return }
    let note = Note(kind: walk.isCut ? .cut : .powerLoss, bytes: walk.droppedBytes)
    let record = note.record(revision: walk.lastRevision + 1, store: self)
    defer { record.value.deallocate() }
    guard makeRoom(generation, to: walk.end + record.size) else { return }
    let prev = walk.lastCRC
    let crc = record.store(at: generation.base + walk.end, prev: prev, salt: generation.fields.salt)
    _ = generation.flush(from: walk.end, to: walk.end + record.size)
    walk.append(size: record.size, crc: crc, revision: record.revision)
  }

  private func makeRoom(_ generation: GenerationPointer, to end: Int) -> Bool {
    let size = generation.fileSize
    if end <= size { return true }
    return FileSystem.extend(generation.pointee.descriptor, from: size, to: (end + (64 << 10)) & ~4095) == 0
  }

  /// A copy of the file as it was found.
  func keepAside(_ generation: GenerationPointer) {
    let name = Store.asideName(pointee.path, generation: generation.fields.generation)
    let copy = scs_open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard copy >= 0 else { return }
    defer { Glibc.close(copy) }
    var offset = 0
    let step = 1 << 20
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: step, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = pread(generation.pointee.descriptor, buffer, step, off_t(offset))
      guard count > 0, scs_pwrite_all(copy, buffer, count, Int64(offset)) == 0 else { return }
      offset += count
    }
  }

  /// What can be believed of a file whose `committed` cannot. Changes nothing: readers without permission live on this.
  func survey(_ generation: GenerationPointer, visit: (LogItem, Int) -> Void) -> LogWalk {
    let fields = generation.fields
    let fileEnd = min(generation.fileSize, Generation.reserve) & ~7
    let committed = CommitWord.checkedLength(generation.committed, fields)
    let durable = CommitWord.checkedLength(generation.word(Header.durable).pointee.load(ordering: .relaxed), fields)
    let isCut = (committed ?? 0) > fileEnd
    let snapshot = walkSnapshot(generation, limit: fileEnd, visit)
    let start = fields.historyEnd
    var walk = LogWalk(
      base: UnsafeRawPointer(generation.base), fields: fields, from: fileEnd > start ? start : snapshot.end,
      lastCRC: fields.salt, lastRevision: fields.baseRevision)
    walk.inherit(snapshot)
    guard fileEnd > start else {
      if isCut, let committed { walk.countMissing(from: walk.end, to: committed) }
      return walk
    }
    let trusted = isCut ? start : committed ?? max(durable ?? start, start)
    let doubt = generation.isBelieved ? Int.max : max(durable ?? start, start)
    walk.walk(to: min(trusted, fileEnd), doubtedFrom: doubt, visit: visit)
    walk.walkChain(to: fileEnd, visit: visit)
    if isCut, let committed { walk.countMissing(from: walk.end, to: committed) }
    return walk
  }

  func walkSnapshot(_ generation: GenerationPointer, limit: Int, _ visit: (LogItem, Int) -> Void) -> LogWalk {
    let fields = generation.fields
    var walk = LogWalk(
      base: UnsafeRawPointer(generation.base), fields: fields, from: Header.size, lastCRC: fields.salt, lastRevision: 0,
      isGapless: false)
    walk.isCutShort = limit < fields.snapshotEnd
    walk.walk(to: min(fields.snapshotEnd, limit), visit: visit)
    return walk
  }
}
