import SatchelSystem

/// Everything in a file: snapshot, history and log, with a private index of what is present.
final class FullScan {
  private(set) var view: ViewPointer
  private let generation: GenerationPointer
  /// Sound records, in the order of the file.
  private(set) var offsets: [Int] = []
  /// Notes since the last `accepted`.
  private(set) var notes: [Int] = []
  private(set) var damagedRecords = 0
  private(set) var droppedBytes = 0
  private(set) var isDegraded = false
  private(set) var hasDegradedNote = false
  private(set) var lastRevision: UInt64

  init(_ generation: GenerationPointer, end: Int) {
    self.generation = generation
    let fields = generation.fields
    lastRevision = fields.baseRevision
    view = .make(generation, slotCount: 1024)
    walk(from: Header.size, to: min(fields.snapshotEnd, end), revision: 0, indexes: true)
    walk(from: fields.snapshotEnd, to: min(fields.historyEnd, end), revision: 0, indexes: false)
    walk(from: fields.historyEnd, to: end, revision: fields.baseRevision, indexes: true)
    isDegraded = isDegraded || hasDegradedNote
  }

  private func walk(from: Int, to: Int, revision: UInt64, indexes: Bool) {
    guard to > from else { return }
    var walk = LogWalk(
      base: UnsafeRawPointer(generation.base), fields: generation.fields, from: from, lastCRC: generation.fields.salt,
      lastRevision: revision, isGapless: from == generation.fields.historyEnd)
    walk.walk(to: to) { item, at in visit(item, at, indexes) }
    lastRevision = max(lastRevision, walk.lastRevision)
  }

  private func visit(_ item: LogItem, _ at: Int, _ indexes: Bool) {
    switch item {
    case .record(let frame) where frame.isNote: note(frame, at)
    case .record(let frame):
      if !frame.isLost { offsets.append(at) }
      if indexes { insert(item, at) }
    case .damaged(let hash):
      damagedRecords += 1
      // A damaged record of the past is nobody's present value.
      if indexes, hash == nil { isDegraded = true }
      if indexes { insert(item, at) }
    }
  }

  private func insert(_ item: LogItem, _ at: Int) {
    let roomy = view.withRoom()
    if roomy != view {
      view.destroy()
      view = roomy
    }
    switch item {
    case .record(let frame) where !frame.isLost: view.insert(frame, at: at)
    case .record(let frame): view.insertGhost(hash: frame.keyHash, at: at)
    case .damaged(let hash?): view.insertGhost(hash: hash, at: at)
    case .damaged(nil): break
    }
  }

  private func note(_ frame: Frame, _ at: Int) {
    guard let note = Note(frame) else { return }
    if note.kind == .accepted {
      notes = []
      (hasDegradedNote, droppedBytes, damagedRecords, isDegraded) = (false, 0, 0, false)
      return
    }
    notes.append(at)
    droppedBytes += note.bytes ?? 0
    if note.kind == .damaged { hasDegradedNote = true }
  }

  deinit { view.destroy() }
}
