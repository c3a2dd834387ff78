import CSatchelSystem
import Glibc
import SatchelSystem
import SatchelValues
import Synchronization

extension UnsafeMutablePointer where Pointee == Store {
  /// What a write leaves behind.
  struct Written {
    var revision: UInt64 = 0
    var sum: Int64 = 0
  }

  // MARK: The lock

  /// Takes the writer lock and the domain's lock, both of the generation that is the store now, and catches up. The caller is not
  /// pinned: a close waits for whoever is, and the lock that is waited for here may be that of the thread that closes.
  func beginWrite(timeout: Int64) -> SatchelError.Code? {
    if let reason = pointee.readOnlyReason { return reason }
    if pointee.hasFailedToSync.load(ordering: .relaxed) { return .io }
    if isInsideTransaction { return .busy }
    var deadline = Deadline(timeout: timeout)
    guard ProcessLock.acquire(pointee.writerLock, &deadline) else { return .timeout }
    let code = lockGeneration(&deadline)
    if code != nil { ProcessLock.release(pointee.writerLock) }
    return code
  }

  private func lockGeneration(_ deadline: inout Deadline) -> SatchelError.Code? {
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    if isDueForWritersLook, let code = followForWriting() { return code }
    while true {
      let generation = current.pointee.generation
      if generation.isPortable, generation.pointee.opener != ProcessMark.mine, let code = takeOver(generation) {
        return code
      }
      if generation != current.pointee.generation { continue }
      guard generation.pointee.isWritable else { return pointee.readOnlyReason ?? .readOnly }
      if !generation.tryLock(), let code = waitForLock(generation, &deadline, pin) {
        if code == .busy { continue }
        return code
      }
      if generation.isPortable, let code = refreshForWriting(generation) {
        if code == .busy { continue }
        return code
      }
      let committed = generation.committed
      if committed & CommitWord.retired == 0 {
        if committed != current.pointee.seen.load(ordering: .relaxed), let code = catchUpForWriting() {
          generation.unlock()
          return code
        }
        // Only the lock's holder could have retired it; but another file may stand under the name.
        if current.pointee.generation == generation { return nil }
        generation.unlock()
        continue
      }
      // Under this lock the name cannot move. Still ours: the compactor died before its rename; take the mark back.
      let isOurs = generation.isStillAt(pointee.path)
      let error = isOurs ? generation.commit(committed & ~CommitWord.retired) : 0
      generation.unlock()
      if error != 0 { return failure(writing: generation, error) }
      do throws(Refusal) { try completeView() } catch { return error.code }
      if !isOurs, current.pointee.generation == generation { return .io }
    }
  }

  /// Keeps the generation, and is not pinned meanwhile. `.busy`: another generation is the store now.
  @inline(never)
  private func waitForLock(
    _ generation: GenerationPointer, _ deadline: inout Deadline, _ pin: Epoch.Pin
  ) -> SatchelError.Code? {
    generation.retain()
    defer { generation.release() }
    pin.leave()
    let code = generation.lock(&deadline)
    pin.enter(pointee.epoch)
    if code != nil || current.pointee.generation == generation { return code }
    generation.unlock()
    return .busy
  }

  /// The domain's lock held, so there is nothing to follow.
  @inline(never)
  private func catchUpForWriting() -> SatchelError.Code? {
    locked(pointee.indexLock) {
      do throws(Refusal) {
        _ = try catchUp(isLocked: true)
        return nil
      } catch { return error.code }
    }
  }

  func endWrite() {
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    current.pointee.generation.unlock()
    ProcessLock.release(pointee.writerLock)
  }

  /// True in the thread that is inside a transaction: it would wait for itself.
  var isInsideTransaction: Bool {
    let thread = pointee.transactionThread.load(ordering: .relaxed)
    return thread != 0 && thread == scs_my_number() && ProcessLock.isMine(pointee.writerLock)
  }

  /// Taking and giving back the lock ends every half-done state: a dead owner's, and a compaction that was not finished.
  /// nil, or why the lock cannot be had.
  func resolve(timeout: Int64) -> SatchelError.Code? {
    let code = beginWrite(timeout: timeout)
    if code == nil { endWrite() }
    return code
  }

  // MARK: One change

  /// One change, one revision. Nothing is written unless the answer is nil.
  func write(_ change: Change, _ written: inout Written) -> SatchelError.Code? {
    if let code = change.limitViolation { return code }
    if let code = beginWrite(timeout: pointee.options.lockTimeout) { return code }
    let pin = Epoch.Pin(pointee.epoch)
    let code = apply(change, &written)
    let rest = restOfWrite
    endWrite()
    pin.leave()
    guard code == nil else { return code }
    return afterWrite(rest)
  }

  /// Lock held.
  private func apply(_ change: Change, _ written: inout Written) -> SatchelError.Code? {
    let view = current
    let hash = scs_hash(view.pointee.hashSeed, change.key.baseAddress.unsafelyUnwrapped, change.key.count)
    let finding = view.find(change.key.baseAddress.unsafelyUnwrapped, change.key.count, hash)
    if let code = finding.violation(of: change.condition) { return code }
    let revision = view.pointee.revision.load(ordering: .relaxed) + 1
    let order = finding.setFrame?.order ?? revision << 20
    func store(_ operation: Frame.Operation, _ value: UnsafeRawBufferPointer) -> SatchelError.Code? {
      written.revision = revision
      var record = Record(
        operation: operation, key: change.key, value: value, revision: revision, keyHash: hash, order: order,
        time: scs_tick_ns(), processID: Identity.processID, userID: pointee.userID, program: pointee.program)
      return withUnsafeMutablePointer(to: &record) { append(UnsafeMutableBufferPointer(start: $0, count: 1)) }
    }
    switch change.action {
    case .set(let value): return store(.set, value)
    case .remove where finding.isAbsent: return nil
    case .remove: return store(.unset, UnsafeRawBufferPointer(start: nil, count: 0))
    case .add(let delta):
      if let code = finding.sum(adding: delta, &written.sum) { return code }
      return withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { buffer in
        let count = CBOR.writeInt64(written.sum, to: buffer.baseAddress.unsafelyUnwrapped)
        return store(.set, UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
      }
    }
  }

  // MARK: Appending

  /// Lock held. Stores the records behind the end and commits them with one store.
  func append(_ records: UnsafeMutableBufferPointer<Record>) -> SatchelError.Code? {
    let view = current
    let generation = view.pointee.generation
    let start = view.pointee.extent.length
    var need = 0
    for i in records.indices { need += records[i].size }
    guard need <= Frame.transactionLimit + Frame.header, records[records.count - 1].revision < Frame.revisionLimit
    else { return .range }
    if start + need > generation.pointee.capacity, let code = grow(generation, to: start + need) { return code }
    if start + need > generation.pointee.populated { populate(generation, from: start) }
    var at = start
    var crc = view.pointee.extent.lastCRC
    if Frame(generation.base + start).prev == crc, let code = discardUncommitted(generation, at: start) { return code }
    for i in records.indices {
      let size = records[i].size
      crc = records[i].store(at: generation.base + at, prev: crc, salt: generation.fields.salt)
      at += size
      faultPoint("write.frame")
    }
    return commit(view, from: start, to: at, crc: crc, revision: records[records.count - 1].revision)
  }

  /// Lock held. A writer has died before it committed what it stored here. After a power cut that would be found in place of what
  /// is stored now, so it goes from the disk first.
  @inline(never)
  private func discardUncommitted(_ generation: GenerationPointer, at start: Int) -> SatchelError.Code? {
    if generation.isPortable { return nil }
    // Neither a frame any more nor a damaged one. `prev` stays: whoever finds it knows that this was not finished.
    (generation.base + start).storeBytes(of: 0, as: UInt64.self)
    (generation.base + start).storeBytes(of: 0, toByteOffset: 8, as: UInt32.self)
    faultPoint("write.discarded")
    if fdatasync(generation.pointee.descriptor) == 0 { return nil }
    let code = SatchelError.Code(errno: errno)
    pointee.hasFailedToSync.store(true, ordering: .relaxed)
    return code
  }

  /// Lock held. The only place where `committed` moves forward.
  private func commit(
    _ view: ViewPointer, from start: Int, to end: Int, crc: UInt32, revision: UInt64
  ) -> SatchelError.Code? {
    let generation = view.pointee.generation
    let error = generation.flush(from: start, to: end)
    if error != 0 { return failure(writing: generation, error) }
    wakeSleepers(generation)  // before the commit: see `wait`
    faultPoint("write.before-commit")
    let committed = CommitWord.pack(end, salt: generation.fields.salt)
    let failed = generation.commit(committed)
    if failed != 0 { return failure(writing: generation, failed) }
    faultPoint("write.after-commit")
    locked(pointee.indexLock) {
      if generation.isPortable { adopt(committed, generation, end) }
      // It stands, whether or not there is memory to index it now: the next to look at the index does it again.
      do throws(Refusal) {
        // A reading thread may have indexed it already.
        guard current == view, view.pointee.extent.length == start else {
          _ = try catchUp(isLocked: true)
          return
        }
        var indexing = Indexing(self, view)
        var at = start
        while at < end {
          let frame = Frame(generation.base + at)
          indexing.add(.record(frame), at)
          at += frame.size
        }
        try indexing.finish(committed, end: end, crc: crc, revision: revision)
      } catch {}
    }
    faultPoint("write.indexed")
    return nil
  }

  /// Lock held. Takes the page faults of the next writes together: they cost a tenth of what they do one by one.
  @inline(never)
  private func populate(_ generation: GenerationPointer, from start: Int) {
    let step = 64 << 10
    let end = min((start + step) & ~4095, generation.pointee.capacity & ~4095)
    let begin = start & ~4095
    generation.pointee.populated = max(end, start + step / 2)
    // A page asked for is dirty: that would only make a sync slower.
    guard pointee.options.durability == .process, !generation.isPortable, end > begin else { return }
    let populateForWriting: Int32 = 23  // MADV_POPULATE_WRITE, Linux 5.14; refused by older ones, at no loss
    madvise(generation.base + begin, end - begin, populateForWriting)
  }

  /// Lock held. The allocation comes first; the file's size is the only record of it.
  private func grow(_ generation: GenerationPointer, to length: Int) -> SatchelError.Code? {
    let size = generation.fileSize
    generation.pointee.capacity = size
    if length <= size { return nil }
    guard length <= Generation.reserve else { return .full }
    // Doubling, by at most 16 MiB; on a nearly full disk whatever still fits.
    var last: Int32 = 0
    for step in [min(size, 16 << 20), 64 << 10, 4096] {
      let target = max((length + 4095) & ~4095, (size + step) & ~4095)
      last = FileSystem.extend(generation.pointee.descriptor, from: size, to: target)
      if last == 0 {
        faultPoint("grow.allocated")
        generation.pointee.capacity = target
        return nil
      }
    }
    return SatchelError.Code(errno: last)
  }

  /// What is left to do once the lock is given back.
  struct RestOfWrite {
    var syncs: Bool
    var compacts: Bool
  }

  /// Lock held.
  var restOfWrite: RestOfWrite {
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    let view = current
    let generation = view.pointee.generation
    // A portable file is synced with every write.
    return RestOfWrite(
      syncs: pointee.options.durability == .disk && !generation.isPortable,
      compacts: view.pointee.extent.length > generation.pointee.compactAt.load(ordering: .relaxed))
  }

  /// No lock held: the disk, where it was asked for, what an earlier compaction left, and a compaction, where it is due.
  func afterWrite(_ rest: RestOfWrite) -> SatchelError.Code? {
    if rest.syncs, let code = syncWritten() { return code }
    if pointee.hasRetired.load(ordering: .relaxed) { reclaimRetired() }
    if rest.compacts { compactIfDue() }
    return nil
  }
}

extension Finding {
  var setFrame: Frame? {
    if case .record(let frame) = self, frame.isSet { return frame }
    return nil
  }

  var isAbsent: Bool {
    if case .corrupt = self { return false }
    return setFrame == nil
  }

  /// nil where the condition holds; else what to answer.
  func violation(of condition: Change.Condition) -> SatchelError.Code? {
    if case .none = condition { return nil }
    if case .corrupt = self { return .corrupt }
    switch (condition, setFrame) {
    case (.none, _), (.absent, nil), (.present, .some), (.revision(0), nil): return nil
    case (.present, nil): return .notFound
    case (.equals(let bytes), let frame?):
      let isSame =
        frame.valueLength == bytes.count && memcmp(frame.value, bytes.baseAddress.unsafelyUnwrapped, bytes.count) == 0
      return isSame ? nil : .conflict
    case (.revision(let revision), let frame?): return frame.revision == revision ? nil : .conflict
    default: return .conflict
    }
  }

  /// The integer it holds (0 where absent) plus `delta`.
  func sum(adding delta: Int64, _ sum: inout Int64) -> SatchelError.Code? {
    if case .corrupt = self { return .corrupt }
    var old: Int64 = 0
    if let frame = setFrame {
      let type = CBOR.type(of: frame.value, frame.valueLength)
      guard type == .int || type == .uint else { return .type }
      if let code = CBOR.readInt64(frame.value, frame.valueLength, &old) { return code }
    }
    let (result, overflow) = old.addingReportingOverflow(delta)
    if overflow { return .range }
    sum = result
    return nil
  }
}
