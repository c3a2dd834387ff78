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
  /// What a recovery would write a note of.
  private(set) var loss: Health.Event?
  private(set) var damagedRecords = 0
  private(set) var hasDegradedNote = false
  private(set) var lastRevision: UInt64
  private(set) var end = 0

  private var failure: Refusal?

  // The draft of a view that is never settled.
  var isDegraded: Bool { view.pointee.draft.isDegraded }
  var droppedBytes: Int { view.pointee.draft.droppedBytes }

  /// Of the log up to `end`, or up to where recovery would let it end.
  static func make(_ generation: GenerationPointer, end: Int?) throws(Refusal) -> FullScan {
    let scan = FullScan(generation, end: end, into: try .make(generation, slotCount: 1024))
    if let failure = scan.failure { throw failure }
    return scan
  }

  private init(_ generation: GenerationPointer, end: Int?, into view: ViewPointer) {
    self.generation = generation
    self.view = view
    let fields = generation.fields
    lastRevision = fields.baseRevision
    _ = generation.walkSnapshot { item, at in visit(item, at, indexes: true) }
    _ = generation.walkHistory { item, at in visit(item, at, indexes: false) }
    logStart = offsets.count
    let log = walkLog(end)
    lastRevision = log.lastRevision
    if end == nil { loss = log.loss }
    self.end = log.end
  }

  deinit { view.destroy() }

  private mutating func walkLog(_ end: Int?) -> LogWalk {
    guard let end else { return generation.survey { item, at in visit(item, at, indexes: true) } }
    let fields = generation.fields
    var walk = LogWalk(
      base: UnsafeRawPointer(generation.base), fields: fields, from: fields.historyEnd, lastCRC: fields.salt,
      lastRevision: fields.baseRevision)
    walk.walk(to: end) { item, at in visit(item, at, indexes: true) }
    walk.conclude(known: end, fileEnd: end) { item, at in visit(item, at, indexes: true) }
    return walk
  }

  private mutating func visit(_ item: LogItem, _ at: Int, indexes: Bool) {
    switch item {
    case .record(let frame) where frame.isNote:
      guard hasRoom(in: notes) else { return }
      keep(note: frame, at)
      view.take(note: frame)
      return
    case .record(let frame): if !frame.isLost, hasRoom(in: offsets) { offsets.append(at) }
    case .damaged: damagedRecords += 1
    case .othersLost: break
    }
    // A damaged record of the past is nobody's present value.
    if indexes { insert(item, at) }
  }

  private mutating func hasRoom(in list: [Int]) -> Bool {
    if !list.hasRoom() { failure = .noMemory }
    return failure == nil
  }

  private mutating func insert(_ item: LogItem, _ at: Int) {
    if failure != nil { return }
    do throws(Refusal) {
      let roomy = try view.withRoom()
      if roomy != view {
        view.destroy()
        view = roomy
      }
      try view.take(item, at)
    } catch { failure = error }
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
