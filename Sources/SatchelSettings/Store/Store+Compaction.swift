import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension Store {
  /// A log shorter than this is not worth a compaction: whoever opens walks it in a tenth of a millisecond.
  static let compactionStep = 256 << 10
  /// A hot writer compacts once a second, or when the log has grown by this much.
  static let compactionCeiling = 128 << 20

  static func compactionStart(_ fields: HeaderFields) -> Int {
    fields.historyEnd + max(compactionStep, fields.historyEnd / 4)
  }
}

extension UnsafeMutablePointer where Pointee == Store {
  /// No lock held. Compacts a log that has grown; a failure is no concern of the write that noticed. In a hurry it is left to
  /// whoever closes.
  @inline(never)
  func compactIfDue(isClosing: Bool = false) {
    let generation = retainGeneration()
    defer { generation.release() }
    // Belongs to the writer lock; read without it, at worst another attempt is made or left out.
    generation.pointee.compactAt += Store.compactionStep
    let grown = CommitWord.length(generation.committed) - generation.fields.historyEnd
    let isYoung = scs_now_ns() - generation.fields.created < 1_000_000_000
    let canWait = isYoung && grown < Store.compactionCeiling && !isClosing
    pointee.owesCompaction.store(canWait, ordering: .relaxed)
    if canWait { return }
    guard scs_ofd_lock(generation.pointee.descriptor, Generation.compactionByte, true) == 0 else { return }
    // Another one's compaction may have ended just before the lock was had.
    if generation.committed & CommitWord.retired == 0 { try? compact() }
    _ = scs_ofd_unlock(generation.pointee.descriptor, Generation.compactionByte)
  }

  /// Writes a new file beside the old one, then marks and renames. Readers go on; writers wait for the last part only.
  package func compact() throws(SatchelError) {
    if let reason = pointee.readOnlyReason { throw failure(reason, "cannot compact") }
    for _ in 0..<3 {
      if let code = beginAndEnd() { throw failure(code, "cannot compact") }
      let generation = retainGeneration()
      defer { generation.release() }
      guard generation.committed & CommitWord.retired == 0 else { continue }
      if try compactWhereThereIsRoom(generation) { return }
    }
    // Others compacted meanwhile, each time: it is compact.
  }

  /// On a full disk the reserve behind the file is given back, and the past given up.
  private func compactWhereThereIsRoom(_ generation: GenerationPointer) throws(SatchelError) -> Bool {
    do { return try compact(generation, HistoryLimits()) } catch {
      guard error.code == .full else { throw error }
      if let code = beginAndEnd({ FileSystem.releaseReserve(generation.pointee.descriptor) }) {
        throw failure(code, "cannot compact")
      }
      return try compact(generation, HistoryLimits(revisions: 0, recordsPerKey: 0, bytes: 0))
    }
  }

  /// Brings the view up to date and ends a compaction whose process died.
  private func beginAndEnd(_ body: () -> Void = {}) -> SatchelError.Code? {
    if let code = beginWrite(timeout: pointee.options.lockTimeout) { return code }
    body()
    endWrite()
    return nil
  }

  /// False when somebody else replaced the file first.
  private func compact(_ generation: GenerationPointer, _ limits: HistoryLimits) throws(SatchelError) -> Bool {
    let committed = generation.committed
    let end = CommitWord.length(committed)
    var rewrite: Rewrite
    do throws(Refusal) {
      rewrite = try Rewrite(generation, end: end, limits: limits)
    } catch { throw failure(error.code, "cannot compact") }
    let file = try NewFile(for: pointee.path)
    let error = FileSystem.copyMetadata(from: generation.pointee.descriptor, to: file.descriptor)
    if error != 0 { throw failure(SatchelError(errno: error, "cannot keep owner and mode of", path: pointee.path)) }
    try rewrite.writeBulk(to: file, store: self)
    faultPoint("compact.written")
    try file.sync()

    if let code = beginWrite(timeout: pointee.options.lockTimeout) { throw failure(code, "cannot compact") }
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    do throws(SatchelError) {
      guard current.pointee.generation == generation else {
        endWrite()
        return false
      }
      try rewrite.writeTail(to: file, upTo: CommitWord.length(generation.committed))
      try file.sync()
      faultPoint("compact.synced")
      try handOver(generation, file, keepsOriginal: rewrite.hasDamage)
    } catch {
      endWrite()
      throw error
    }
    // The lock given back is the old file's: whoever waits there finds the mark and follows.
    generation.unlock()
    // Whoever comes next does it where this cannot.
    _ = try? completeView()
    ProcessLock.release(pointee.writerLock)
    return true
  }

  /// Lock held. The mark comes before the rename: a compactor killed between the two the other way round would leave an
  /// unmarked old file that others go on writing to. Marked and not renamed is harmless: the next lock holder unmarks.
  private func handOver(
    _ generation: GenerationPointer, _ file: borrowing NewFile, keepsOriginal: Bool
  ) throws(SatchelError) {
    if keepsOriginal { link(pointee.path, Store.asideName(pointee.path, generation: generation.fields.generation)) }
    let committed = generation.committed
    wakeSleepers(generation)
    faultPoint("compact.before-mark")
    let error = generation.commit(committed | CommitWord.retired)
    // Without the mark others would go on writing into the old file.
    if error != 0 {
      _ = failure(writing: generation, error)
      throw failure(SatchelError(errno: error, "cannot mark", path: pointee.path))
    }
    faultPoint("compact.marked")
    do { try file.replace(pointee.path) } catch {
      _ = generation.commit(committed)
      throw failure(error)
    }
    faultPoint("compact.renamed")
    Folders.sync(folderOf: pointee.path)
    faultPoint("compact.directory-synced")
  }
}
