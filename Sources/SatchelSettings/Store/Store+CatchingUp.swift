import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension UnsafeMutablePointer where Pointee == Store {
  /// For readers: also ends a compaction whose process died between its mark and its rename.
  /// The view as it was when it was complete; the caller is pinned, so it stays.
  @inline(never)
  func readerCatchUp() throws(Refusal) -> ViewPointer {
    let view = try completeView()
    let generation = view.pointee.generation
    guard pointee.readOnlyReason == nil, generation.committed & CommitWord.retired != 0 else { return view }
    // 0 in portable mode, where the lock itself tells.
    let owner = generation.word(Header.lock).pointee.load(ordering: .relaxed)
    guard owner == 0 || Identity.judge(owner, descriptor: generation.pointee.descriptor) == .dead else { return view }
    // Nobody that lives is to be waited for.
    _ = resolve(timeout: 0)
    return try completeView()
  }

  /// Brings the view up to the committed word, of the generation that is the store now; the caller is pinned.
  @discardableResult
  func completeView() throws(Refusal) -> ViewPointer {
    var kept: GenerationPointer?
    while true {
      var view = current
      let stale = try locked(pointee.indexLock) { () throws(Refusal) in
        let stale = try catchUp(staysWith: kept)
        view = current
        return stale
      }
      guard let stale else { return view }
      // The generation after it may have to be recovered under its own lock, which is not waited for with the index lock held.
      if !follow(from: stale) { kept = stale }
    }
  }

  /// Index lock held. Brings the view up to the committed word, into a new table where needed. Returns the generation to
  /// follow from, where another one may be the store now; not `kept`, which has not been replaced.
  /// `isLocked`: the caller holds the domain's lock and, in portable mode, has refreshed the mirror.
  func catchUp(isLocked: Bool = false, staysWith kept: GenerationPointer? = nil) throws(Refusal) -> GenerationPointer? {
    while true {
      let view = current
      let generation = view.pointee.generation
      if generation.isPortable, !isLocked, isOutdated(generation), generation != kept { return generation }
      let committed = generation.committed
      if committed == view.pointee.indexed.load(ordering: .relaxed), committed != View.nothing { return nil }
      guard generation.isBelieved, let length = CommitWord.checkedLength(committed, generation.fields),
        isAllocated(generation, length)
      else {
        // Only a reader without permission comes here with an old boot or a shortened file: it believes what recovery would
        // accept, and writes nothing.
        try rebuild(.make(generation, slotCount: view.pointee.mask + 1), committed)
        return nil
      }
      // The compactor may not have renamed yet, or have died before it could: then this generation is still the store.
      if committed & CommitWord.retired != 0, generation != kept, !generation.isStillAt(pointee.path) {
        return generation
      }
      if length < view.pointee.extent.length || view.pointee.isPrivate {
        // Recovery cut the log back, or has written down what was found here privately: start over.
        publish(try .make(generation, slotCount: view.pointee.mask + 1))
        continue
      }
      try index(to: length, committed: committed)
      return nil
    }
  }

  /// No index lock held. Opens what the name leads to now; false where that cannot be: then what is known goes on to answer.
  func follow(from stale: GenerationPointer) -> Bool {
    do throws(SatchelError) {
      try replace(stale, by: try openGeneration())
      return true
    } catch { return false }
  }

  /// Takes the index lock. Another thread may have been quicker.
  func replace(_ stale: GenerationPointer, by next: GenerationPointer) throws(SatchelError) {
    do throws(Refusal) {
      try locked(pointee.indexLock) { () throws(Refusal) in
        if current.pointee.generation == stale { publish(try makeView(of: next)) } else { next.destroy() }
      }
    } catch {
      next.destroy()
      throw failure(error.code, "no memory for the index")
    }
  }

  /// The map reaches beyond the file: the committed word alone is no reason to touch memory.
  private func isAllocated(_ generation: GenerationPointer, _ length: Int) -> Bool {
    if generation.isPortable { return !generation.pointee.mirror.isUntrusted }
    if length <= generation.pointee.readable { return true }
    generation.pointee.readable = generation.fileSize
    return length <= generation.pointee.readable
  }

  /// Index lock held. Adds what came since, and says so with one store.
  private func index(to length: Int, committed: UInt64) throws(Refusal) {
    let view = current
    let generation = view.pointee.generation
    var indexing = Indexing(self, view)
    var start = view.pointee.extent
    if start.length == Header.size {
      let snapshot = generation.walkSnapshot { item, at in indexing.add(item, at) }
      indexing.newest.pointee.draft.damagedRecords += snapshot.damagedRecords
      (start.length, start.lastCRC) = (generation.fields.historyEnd, generation.fields.salt)
    }
    var walk = LogWalk(
      base: view.pointee.base, fields: generation.fields, from: start.length, lastCRC: start.lastCRC,
      lastRevision: start.lastRevision)
    walk.walk(to: length) { item, at in indexing.add(item, at) }
    walk.conclude(known: length, fileEnd: length) { item, at in indexing.add(item, at) }
    try indexing.finish(walk, committed)
  }

  private func rebuild(_ fresh: ViewPointer, _ committed: UInt64) throws(Refusal) {
    fresh.pointee.isPrivate = true
    publish(fresh)
    var indexing = Indexing(self, fresh)
    let generation = fresh.pointee.generation
    let snapshot = generation.walkSnapshot { item, at in indexing.add(item, at) }
    var walk = generation.survey { item, at in indexing.add(item, at) }
    walk.inherit(snapshot)
    try indexing.finish(walk, committed)
  }

  // MARK: Replacement from outside

  /// Looks, at most every 100 ms, whether another program has put another file under the name.
  @inline(__always)
  func lookForReplacement() {
    guard isDueForLook, isReplaced(current.pointee.generation) else { return }
    // A writer counts on its generation staying; it looks by itself.
    var atOnce = Deadline(timeout: 0)
    guard ProcessLock.acquire(pointee.writerLock, &atOnce) else { return }
    let stale = current.pointee.generation
    if isReplaced(stale) { _ = follow(from: stale) }
    ProcessLock.release(pointee.writerLock)
  }

  @inline(__always)
  private var isDueForLook: Bool {
    let now = scs_coarse_ns()
    if now - pointee.lastLook.load(ordering: .relaxed) < Store.lookInterval { return false }
    pointee.lastLook.store(now, ordering: .relaxed)
    return true
  }

  /// Writer lock held. Writers look for themselves: where the name is gone, a reader's look changes nothing.
  @inline(__always)
  var isDueForWritersLook: Bool {
    let now = scs_coarse_ns()
    if now - pointee.writersLook < Store.lookInterval { return false }
    pointee.writersLook = now
    return true
  }

  /// Another file stands under the name. Where there is none, this one is still the store.
  @inline(never)
  private func isReplaced(_ generation: GenerationPointer) -> Bool {
    !generation.isAt(pointee.path) && access(pointee.path, F_OK) == 0
  }

  /// Writer lock held. Nothing may be written into a file that the name no longer leads to: what stands there now is
  /// followed, what is gone is made anew, and what cannot be opened is the answer.
  @inline(never)
  func followForWriting() -> SatchelError.Code? {
    let stale = current.pointee.generation
    if stale.isAt(pointee.path) { return nil }
    do throws(SatchelError) {
      try replace(stale, by: try openOrCreate())
      return nil
    } catch {
      // The next write looks again at once.
      pointee.writersLook = 0
      return error.code
    }
  }
}

/// Index lock held. A stretch of the log on its way into the index. Nothing of it counts before `finish`: where that is not
/// reached, for want of memory or in a forked child, the stretch is indexed again, which changes nothing.
struct Indexing {
  private let store: StorePointer
  /// The view that has it, which may become a larger one.
  private(set) var newest: ViewPointer
  private var failure: Refusal?

  @inline(__always)
  init(_ store: StorePointer, _ view: ViewPointer) {
    self.store = store
    newest = view
    view.pointee.beginDraft()
  }

  @inline(__always)
  mutating func add(_ item: LogItem, _ at: Int) {
    if failure != nil { return }
    do throws(Refusal) {
      let view = try newest.withRoom()
      if view != newest { store.publish(view) }
      newest = view
      try view.take(item, at)
    } catch { failure = error }
  }

  mutating func finish(_ walk: LogWalk, _ committed: UInt64) throws(Refusal) {
    newest.pointee.draft.damagedRecords += walk.damagedRecords
    newest.pointee.draft.droppedBytes += walk.droppedBytes
    try finish(committed, end: walk.end, crc: walk.lastCRC, revision: walk.lastRevision)
  }

  @inline(__always)
  mutating func finish(_ committed: UInt64, end: Int, crc: UInt32, revision: UInt64) throws(Refusal) {
    if let failure { throw failure }
    let view = newest
    view.pointee.draft.length = end
    view.pointee.draft.lastCRC = crc
    view.pointee.draft.lastRevision = revision
    faultPoint("index.before-settling")
    view.pointee.settleDraft()
    faultPoint("index.settled")
    view.pointee.revision.store(revision, ordering: .releasing)
    // Without the retired bit: a marked generation never compares equal, so every read looks where the name leads now. In
    // portable mode no read ever compares equal.
    let indexed = committed & ~CommitWord.retired
    view.pointee.indexed.store(indexed, ordering: .releasing)
    view.pointee.seen.store(view.pointee.generation.isPortable ? View.nothing : indexed, ordering: .releasing)
  }
}
