import CSatchelSystem
import SatchelSystem

extension UnsafeMutablePointer where Pointee == Store {
  /// Scans the whole file. O(file).
  package func health() throws(SatchelError) -> Health {
    var revision: UInt64 = 0
    if let code = self.revision(&revision) { throw failure(code) }
    let generation = retainGeneration()
    defer { generation.release() }
    let end = locked(pointee.indexLock) { current.pointee.isPrivate ? nil : current.pointee.extent.length }
    let scan: FullScan
    do throws(Refusal) { scan = try .make(generation, end: end) } catch { throw failure(error.code) }
    guard Memory.hasRoom(for: scan.notes.count * 64) else { throw failure(.noMemory) }
    var health = Health()
    health.damagedRecords = scan.damagedRecords
    health.isDegraded = scan.isDegraded
    // A reader without permission lives on a private recovery, of which the file says nothing.
    health.droppedBytes = max(scan.droppedBytes, locked(pointee.indexLock) { current.pointee.extent.droppedBytes })
    scan.view.forEachRecord { frame, _ in if frame.isSet { health.keys += 1 } }
    var names: [UInt64: String] = [:]
    scan.view.forEachGhost { names[$0.hash] = "" }
    for offset in scan.offsets where !names.isEmpty {
      let frame = Frame(UnsafeRawPointer(generation.base) + offset)
      if names[frame.keyHash] != nil { names[frame.keyHash] = String(decoding: frame.keyBytes, as: UTF8.self) }
    }
    health.corruptKeys = names.values.map { $0.isEmpty ? nil : $0 }.sorted { ($0 ?? "") < ($1 ?? "") }
    health.fileBytes = generation.fileSize
    health.diskBytes = FileSystem.allocatedBytes(generation.pointee.descriptor)
    health.logBytes = scan.end
    health.generation = generation.fields.generation
    health.isPortable = generation.isPortable
    health.notes = scan.notes.compactMap { Note(Frame(UnsafeRawPointer(generation.base) + $0))?.kind }
    if let loss = scan.loss { health.notes.append(loss) }
    return health
  }

  /// Writes the newest sound value of `key` (of every damaged key for nil) again, or removes it where there is none.
  package func accept(_ key: [UInt8]?) -> SatchelError.Code? {
    if let code = key?.withUnsafeBytes({ Key.violation($0) }) { return code }
    if let code = beginWrite(timeout: pointee.options.lockTimeout) { return code }
    defer { endWrite() }
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    let view = current
    let scan: FullScan
    do throws(Refusal) {
      scan = try .make(view.pointee.generation, end: view.pointee.extent.length)
    } catch { return error.code }
    var lost: Set<UInt64> = []
    view.forEachGhost { lost.insert($0.hash) }
    if let key {
      let hash = hash(of: key)
      guard lost.contains(hash) else { return .notFound }
      lost = [hash]
    } else if lost.isEmpty, !scan.isDegraded, scan.droppedBytes == 0, scan.damagedRecords == 0 {
      return .notFound
    }
    return settle(lost, scan, clearsNotes: key == nil)
  }

  /// Lock held.
  private func settle(_ lost: Set<UInt64>, _ scan: borrowing FullScan, clearsNotes: Bool) -> SatchelError.Code? {
    var newest: [UInt64: Frame] = [:]
    for offset in scan.offsets {
      let frame = Frame(current.pointee.base + offset)
      guard lost.contains(frame.keyHash) else { continue }
      if let known = newest[frame.keyHash], known.revision > frame.revision { continue }
      newest[frame.keyHash] = frame
    }
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    for hash in lost {
      let revision = current.pointee.revision.load(ordering: .relaxed) + 1
      let frame = newest[hash]
      let isSet = frame?.isSet ?? false
      let value = frame.map { UnsafeRawBufferPointer(start: $0.value, count: $0.valueLength) }
      let record = Record(
        operation: isSet ? .set : .unset, key: frame?.keyBytes ?? none, value: isSet ? value ?? none : none,
        revision: revision, keyHash: hash, order: isSet ? frame?.order ?? 0 : revision << 20, time: scs_tick_ns(),
        processID: Identity.processID, userID: pointee.userID, program: pointee.program)
      if let code = appendOne(record) { return code }
    }
    guard clearsNotes else { return nil }
    return appendLocked(Note(kind: .accepted))
  }

  /// Says something in the log, where it can be written.
  func append(_ note: Note) {
    guard beginWrite(timeout: pointee.options.lockTimeout) == nil else { return }
    let pin = Epoch.Pin(pointee.epoch)
    defer { pin.leave() }
    _ = appendLocked(note)
    endWrite()
  }

  private func appendLocked(_ note: Note) -> SatchelError.Code? {
    let record = note.record(revision: current.pointee.revision.load(ordering: .relaxed) + 1, store: self)
    defer { record.value.deallocate() }
    return appendOne(record)
  }

  private func appendOne(_ record: Record) -> SatchelError.Code? {
    var record = record
    return withUnsafeMutablePointer(to: &record) { append(UnsafeMutableBufferPointer(start: $0, count: 1)) }
  }
}
