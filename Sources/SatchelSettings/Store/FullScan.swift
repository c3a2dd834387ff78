import SatchelSystem

/// Everything in a file: snapshot, history and log, with a private index of what is present.
struct FullScan: ~Copyable {
  private(set) var view: ViewPointer
  private let generation: GenerationPointer
  /// Sound records, in the order of the file: snapshot and history, then from `logStart` on the log.
  private(set) var offsets: [Int] = []
  private(set) var logStart = 0
  /// Notes since the last `accepted`.
  private(set) var notes: [Int] = []
  private(set) var damagedRecords = 0
  private(set) var hasDegradedNote = false
  private(set) var lastRevision: UInt64

  var isDegraded: Bool { view.pointee.isDegraded }
  var droppedBytes: Int { view.pointee.droppedBytes }

  init(_ generation: GenerationPointer, end: Int) {
    self.generation = generation
    let fields = generation.fields
    lastRevision = fields.baseRevision
    view = .make(generation, slotCount: 1024)
    walk(from: Header.size, to: min(fields.snapshotEnd, end), revision: 0, indexes: true)
    walk(from: fields.snapshotEnd, to: min(fields.historyEnd, end), revision: 0, indexes: false)
    logStart = offsets.count
    walk(from: fields.historyEnd, to: end, revision: fields.baseRevision, indexes: true)
  }

  deinit { view.destroy() }

  private mutating func walk(from: Int, to: Int, revision: UInt64, indexes: Bool) {
    guard to > from else { return }
    var walk = LogWalk(
      base: UnsafeRawPointer(generation.base), fields: generation.fields, from: from, lastCRC: generation.fields.salt,
      lastRevision: revision, isGapless: from == generation.fields.historyEnd)
    walk.walk(to: to) { item, at in visit(item, at, indexes) }
    lastRevision = max(lastRevision, walk.lastRevision)
  }

  private mutating func visit(_ item: LogItem, _ at: Int, _ indexes: Bool) {
    switch item {
    case .record(let frame) where frame.isNote:
      keep(note: frame, at)
      view.take(note: frame)
      return
    case .record(let frame): if !frame.isLost { offsets.append(at) }
    case .damaged: damagedRecords += 1
    }
    // A damaged record of the past is nobody's present value.
    if indexes { insert(item, at) }
  }

  private mutating func insert(_ item: LogItem, _ at: Int) {
    let roomy = view.withRoom()
    if roomy != view {
      view.destroy()
      view = roomy
    }
    view.take(item, at)
  }

  private mutating func keep(note frame: Frame, _ at: Int) {
    guard let note = Note(frame) else { return }
    if note.kind == .accepted {
      notes = []
      (hasDegradedNote, damagedRecords) = (false, 0)
    } else {
      notes.append(at)
      hasDegradedNote = hasDegradedNote || note.kind == .damaged
    }
  }
}
