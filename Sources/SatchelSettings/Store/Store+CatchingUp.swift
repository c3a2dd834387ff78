import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension UnsafeMutablePointer where Pointee == Store {
  func lockedCatchUp() {
    locked(pointee.indexLock) { catchUp() }
  }

  /// For readers: also ends a compaction whose process died between its mark and its rename.
  /// The view as it was when it was complete; the caller is pinned, so it stays.
  @inline(never)
  func readerCatchUp() -> ViewPointer {
    let view = completeView()
    let generation = view.pointee.generation
    guard pointee.readOnlyReason == nil, generation.committed & CommitWord.retired != 0 else { return view }
    // 0 in portable mode, where the lock itself tells.
    let owner = generation.word(Header.lock).pointee.load(ordering: .relaxed)
    guard owner == 0 || Identity.judge(owner, descriptor: generation.pointee.descriptor) == .dead else { return view }
    resolve()
    return completeView()
  }

  private func completeView() -> ViewPointer {
    locked(pointee.indexLock) {
      catchUp()
      return current
    }
  }

  /// Index lock held. Brings the view up to the committed word, into a new table or generation where needed.
  /// `isLocked`: the caller holds the domain's lock and, in portable mode, has refreshed the mirror.
  func catchUp(isLocked: Bool = false) {
    var follows = true
    while true {
      let view = current
      let generation = view.pointee.generation
      if generation.isPortable, !isLocked {
        if followsAfterRefresh(generation) { continue }
      }
      let committed = generation.committed
      if committed == view.pointee.indexed { return }
      guard generation.isBelieved, let length = CommitWord.checkedLength(committed, generation.fields),
        isAllocated(generation, length)
      else {
        // Only a reader without permission comes here with an old boot or a shortened file: it believes what recovery would
        // accept, and writes nothing.
        rebuild(.make(generation, slotCount: view.pointee.mask + 1), committed)
        return
      }
      if committed & CommitWord.retired != 0, follows {
        if !generation.isStillAt(pointee.path), follow() { continue }
        // The compactor has not renamed yet, or died before it could: this generation is still the store.
        follows = false
      }
      if length < view.pointee.length || view.pointee.isPrivate {
        // Recovery cut the log back, or has written down what was found here privately: start over.
        publish(.make(generation, slotCount: view.pointee.mask + 1))
        continue
      }
      index(to: length, committed: committed)
      return
    }
  }

  /// Index lock held. Opens what the name leads to now; false where that cannot be.
  func follow() -> Bool {
    guard let next = try? openGeneration() else { return false }
    publish(makeView(of: next))
    return true
  }

  /// The map reaches beyond the file: the committed word alone is no reason to touch memory.
  private func isAllocated(_ generation: GenerationPointer, _ length: Int) -> Bool {
    if generation.isPortable { return !generation.pointee.mirror.isUntrusted }
    if length <= generation.pointee.readable { return true }
    generation.pointee.readable = generation.fileSize
    return length <= generation.pointee.readable
  }

  /// Index lock held. Adds what came since, and says so with one store.
  private func index(to length: Int, committed: UInt64) {
    let view = current
    let generation = view.pointee.generation
    var newest = view
    if view.pointee.length == Header.size {
      let snapshot = generation.walkSnapshot { item, at in newest = add(item, at, to: newest) }
      newest.pointee.damagedRecords += snapshot.damagedRecords
      newest.pointee.length = generation.fields.historyEnd
      newest.pointee.lastCRC = generation.fields.salt
    }
    var walk = LogWalk(
      base: newest.pointee.base, fields: generation.fields, from: newest.pointee.length,
      lastCRC: newest.pointee.lastCRC, lastRevision: newest.pointee.revision.load(ordering: .relaxed))
    walk.walk(to: length) { item, at in newest = add(item, at, to: newest) }
    walk.conclude(known: length, fileEnd: length) { item, at in newest = add(item, at, to: newest) }
    finish(newest, walk, committed)
  }

  private func rebuild(_ fresh: ViewPointer, _ committed: UInt64) {
    fresh.pointee.isPrivate = true
    publish(fresh)
    var newest = fresh
    let generation = fresh.pointee.generation
    let snapshot = generation.walkSnapshot { item, at in newest = add(item, at, to: newest) }
    var walk = generation.survey { item, at in newest = add(item, at, to: newest) }
    walk.inherit(snapshot)
    finish(newest, walk, committed)
  }

  /// Index lock held. Returns the view that has it, which may be a larger one.
  func add(_ item: LogItem, _ at: Int, to old: ViewPointer) -> ViewPointer {
    let view = old.withRoom()
    if view != old { publish(view) }
    view.take(item, at)
    return view
  }

  func finish(_ view: ViewPointer, _ walk: LogWalk, _ committed: UInt64) {
    view.pointee.length = walk.end
    view.pointee.lastCRC = walk.lastCRC
    view.pointee.damagedRecords += walk.damagedRecords
    view.pointee.droppedBytes += walk.droppedBytes
    view.pointee.revision.store(walk.lastRevision, ordering: .releasing)
    markSeen(view, committed)
  }

  /// Without the retired bit: a marked generation never compares equal, so every read looks where the name leads now. In
  /// portable mode no read ever compares equal.
  func markSeen(_ view: ViewPointer, _ committed: UInt64) {
    view.pointee.indexed = committed & ~CommitWord.retired
    view.pointee.seen.store(view.pointee.generation.isPortable ? 0 : view.pointee.indexed, ordering: .releasing)
  }

  // MARK: Replacement from outside

  /// Looks, at most every 100 ms, whether another program has put another file under the name.
  @inline(__always)
  func lookForReplacement() {
    guard isDueForLook, isReplaced else { return }
    // A writer counts on its generation staying; it looks by itself.
    var atOnce = Deadline(timeout: 0)
    guard ProcessLock.acquire(pointee.writerLock, &atOnce) else { return }
    locked(pointee.indexLock) {
      if isReplaced { _ = follow() }
    }
    ProcessLock.release(pointee.writerLock)
  }

  @inline(__always)
  var isDueForLook: Bool {
    let now = scs_coarse_ns()
    if now - pointee.lastLook.load(ordering: .relaxed) < 100_000_000 { return false }
    pointee.lastLook.store(now, ordering: .relaxed)
    return true
  }

  /// Another file stands under the name. Where there is none, this one is still the store.
  @inline(never)
  var isReplaced: Bool {
    !current.pointee.generation.isAt(pointee.path) && access(pointee.path, F_OK) == 0
  }

  /// Writer lock held. Nothing may be written into a file that the name no longer leads to: what stands there now is
  /// followed, what is gone is made anew, and what cannot be opened is the answer.
  @inline(never)
  func followForWriting() -> SatchelError.Code? {
    locked(pointee.indexLock) { () -> SatchelError.Code? in
      if current.pointee.generation.isAt(pointee.path) { return nil }
      do throws(SatchelError) {
        publish(makeView(of: try openOrCreate()))
        catchUp()
        return nil
      } catch {
        // The next write looks again at once.
        pointee.lastLook.store(0, ordering: .relaxed)
        return error.code
      }
    }
  }
}
