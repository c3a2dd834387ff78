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
  func compactIfDue() {
    let generation = retainGeneration()
    defer { generation.release() }
    let grown = CommitWord.length(generation.committed) - generation.fields.historyEnd
    let isYoung = scs_now_ns() - generation.fields.created < 1_000_000_000
    let canWait = isYoung && grown < Store.compactionCeiling
    pointee.owesCompaction.store(canWait, ordering: .relaxed)
    if !canWait, compactAlone(generation) { return }
    // What cannot be done now is not tried again at every write; nor, where it fails, at every step of the log.
    generation.pointee.compactAt.add(
      canWait ? Store.compactionStep : max(grown, Store.compactionStep), ordering: .relaxed)
  }

  /// What writes in a hurry left undone.
  func compactOnClosing() {
    let generation = retainGeneration()
    _ = compactAlone(generation)
    generation.release()
  }

  /// False where somebody else compacts, in this process or another, or where it fails. It waits for nobody for long: the
  /// caller's own work is done.
  private func compactAlone(_ generation: GenerationPointer) -> Bool {
    let patience: Int64 = 100_000_000
    var atOnce = Deadline(timeout: 0)
    guard ProcessLock.acquire(pointee.compactionLock, &atOnce) else { return false }
    defer { ProcessLock.release(pointee.compactionLock) }
    let descriptor = generation.pointee.descriptor
    guard scs_ofd_lock(descriptor, Generation.compactionByte, true) == 0 else { return false }
    defer { _ = scs_ofd_unlock(descriptor, Generation.compactionByte) }
    // Another one's compaction may have ended just before the lock was had.
    guard generation.committed & CommitWord.retired == 0 else { return true }
    do throws(SatchelError) {
      try compact(timeout: min(patience, pointee.options.lockTimeout))
      return true
    } catch { return false }
  }

  /// Writes a new file beside the old one, then marks and renames. Readers go on; writers wait for the last part only.
  package func compact() throws(SatchelError) { try compact(timeout: pointee.options.lockTimeout) }

  /// `timeout`: how long it waits for the domain's lock, each time.
  private func compact(timeout: Int64) throws(SatchelError) {
    if let reason = pointee.readOnlyReason { throw failure(reason, cannot: "compact") }
    defer { if pointee.hasRetired.load(ordering: .relaxed) { reclaimRetired() } }
    for _ in 0..<3 {
      if let code = beginAndEnd(timeout) { throw failure(code, cannot: "compact") }
      let generation = retainGeneration()
      defer { generation.release() }
      guard generation.committed & CommitWord.retired == 0 else { continue }
      if try compactWhereThereIsRoom(generation, timeout) { return }
    }
    // Others compacted meanwhile, each time: it is compact.
  }

  /// On a full disk the reserve behind the file is given back, and the past given up.
  private func compactWhereThereIsRoom(_ generation: GenerationPointer, _ timeout: Int64) throws(SatchelError) -> Bool {
    do { return try compact(generation, HistoryLimits(), timeout) } catch {
      guard error.code == .full else { throw error }
      if let code = beginAndEnd(timeout, { FileSystem.releaseReserve(generation.pointee.descriptor) }) {
        throw failure(code, cannot: "compact")
      }
      return try compact(generation, HistoryLimits(revisions: 0, recordsPerKey: 0, bytes: 0), timeout)
    }
  }

  /// Brings the view up to date and ends a compaction whose process died.
  private func beginAndEnd(_ timeout: Int64, _ body: () -> Void = {}) -> SatchelError.Code? {
    if let code = beginWrite(timeout: timeout) { return code }
    body()
    endWrite()
    return nil
  }

  /// False when somebody else replaced the file first.
  private func compact(
    _ generation: GenerationPointer, _ limits: HistoryLimits, _ timeout: Int64
  ) throws(SatchelError) -> Bool {
    // What may be refused comes first: it costs nothing.
    let file = try NewFile(for: pointee.path)
    let error = FileSystem.copyMetadata(from: generation.pointee.descriptor, to: file.descriptor)
    if error != 0 { throw failure(SatchelError(errno: error, "cannot keep owner and mode of", path: pointee.path)) }
    var rewrite: Rewrite
    do throws(Refusal) {
      rewrite = try Rewrite(generation, end: CommitWord.length(generation.committed), limits: limits)
    } catch { throw failure(error.code, cannot: "compact") }
    try rewrite.writeBulk(to: file, store: self)
    faultPoint("compact.written")
    try file.sync()

    if let code = beginWrite(timeout: timeout) { throw failure(code, cannot: "compact") }
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    do throws(SatchelError) {
      guard current.pointee.generation == generation, isStillNamed(generation) else {
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

  /// False where another program has put a file under the name, which is not to be replaced; the next write follows it.
  private func isStillNamed(_ generation: GenerationPointer) -> Bool {
    let isNamed = generation.isAt(pointee.path)
    if !isNamed { pointee.writersLook = 0 }
    return isNamed
  }

  /// Lock held. The mark comes before the rename: a compactor killed between the two the other way round would leave an
  /// unmarked old file that others go on writing to. Marked and not renamed is harmless: the next lock holder unmarks.
  private func handOver(
    _ generation: GenerationPointer, _ file: borrowing NewFile, keepsOriginal: Bool
  ) throws(SatchelError) {
    if keepsOriginal {
      _ = Store.unusedAsideName(pointee.path, generation: generation.fields.generation) { name in
        link(pointee.path, name) == 0 ? 0 : errno
      }
    }
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
