import CSatchelSystem
import Glibc
import SatchelSystem

/// The content of a new generation: every key's newest record, the history that is kept, and what came meanwhile.
struct Rewrite {
  private let generation: GenerationPointer
  private let scannedEnd: Int
  private var fields: HeaderFields
  private var snapshot: [Int] = []
  private var history: [Int] = []
  private var ghosts: [UInt64] = []
  private var needsDamageNote = false
  private(set) var hasDamage = false

  private var end = Header.size
  private var crc: UInt32
  private var room = 0

  /// Reads the whole file up to `end`; takes no lock.
  init(_ generation: GenerationPointer, end: Int, limits: HistoryLimits) throws(Refusal) {
    let scan = try FullScan.make(generation, end: end)
    // What is kept of it, in lists of offsets that are sorted.
    let lists = 8 * (scan.offsets.count + scan.notes.count) + 2 * scan.view.slotCount
    guard Memory.hasRoom(for: lists * MemoryLayout<Int>.stride) else { throw .noMemory }
    self.generation = generation
    scannedEnd = scan.end
    fields = HeaderFields(
      generation: generation.fields.generation + 1, baseRevision: scan.lastRevision,
      hashSeed: generation.fields.hashSeed,
      isPortable: generation.isPortable)
    crc = fields.salt
    hasDamage = scan.damagedRecords > 0
    needsDamageNote = scan.isDegraded && !scan.hasDegradedNote
    scan.view.forEachRecord { frame, offset in if frame.isSet { snapshot.append(offset) } }
    scan.view.forEachGhost { ghosts.append($0.hash) }
    // Revisions rise along the old snapshot, and go on rising along the log behind it.
    snapshot.sort()
    var retention = Retention(scan, generation, limits)
    history = retention.choose()
    history.append(contentsOf: scan.notes)
    history.sort(by: generation.isOlder)
  }

  // MARK: Writing

  /// Header, snapshot and history.
  mutating func writeBulk(to file: borrowing NewFile, store: StorePointer) throws(SatchelError) {
    var writer = try FrameBuffer(file, at: Header.size)
    for offset in snapshot { try copy(offset, &writer, file) }
    for hash in ghosts { try append(lostRecord(hash, store), &writer, file) }
    fields.snapshotEnd = end
    crc = fields.salt
    for offset in history { try copy(offset, &writer, file) }
    if needsDamageNote {
      let note = Note(kind: .damaged).record(revision: fields.baseRevision, store: store)
      defer { note.value.deallocate() }
      try append(note, &writer, file)
    }
    fields.historyEnd = end
    crc = fields.salt
    try writer.flush(file)
  }

  /// What was committed since the scan, then the room to grow and the header: the file is whole.
  mutating func writeTail(to file: borrowing NewFile, upTo limit: Int) throws(SatchelError) {
    var walk = LogWalk(
      base: UnsafeRawPointer(generation.base), fields: generation.fields, from: scannedEnd,
      lastCRC: 0, lastRevision: fields.baseRevision)
    var offsets: [Int] = []
    var hasRoom = true
    walk.walk(to: limit) { item, at in
      guard case .record = item, hasRoom else { return }
      hasRoom = offsets.hasRoom()
      if hasRoom { offsets.append(at) }
    }
    guard hasRoom else { throw SatchelError(.noMemory, "no memory to compact") }
    if walk.damagedRecords > 0 { throw SatchelError(.corrupt, "a record was damaged while it was being compacted") }
    var writer = try FrameBuffer(file, at: end)
    for offset in offsets { try copy(offset, &writer, file, keepsMore: true) }
    try writer.flush(file)
    try allocateRoom(file)
    let page = UnsafeMutableRawPointer.allocate(byteCount: Header.size, alignment: 64)
    defer { page.deallocate() }
    fields.write(page: page, end: end)
    try file.write(UnsafeRawBufferPointer(start: page, count: Header.size), at: 0)
  }

  /// Room for the next writes, so that a disk that fills up meanwhile does not stop them; less where there is less. Never more
  /// than the old file had: a compaction makes no file larger.
  private func allocateRoom(_ file: borrowing NewFile) throws(SatchelError) {
    let most = max(generation.fileSize, end)
    for room in [max(end + end / 2, NewFile.firstRoom), end + 4096] {
      do { return try file.allocate(from: end, to: (min(room, most) + 4095) & ~4095) } catch {
        if error.code != .full { throw error }
      }
    }
    try file.allocate(from: end, to: (end + 4095) & ~4095)
  }

  private mutating func copy(
    _ offset: Int, _ writer: inout FrameBuffer, _ file: borrowing NewFile, keepsMore: Bool = false
  ) throws(SatchelError) {
    let frame = Frame(generation.base + offset)
    let size = frame.size
    let p = try writer.room(for: size, file)
    memcpy(p, frame.base, size)
    // Checked again where it was copied: what is sealed here would pass for sound ever after.
    guard case .whole = Frame(p).soundness(room: size, salt: generation.fields.salt) else {
      throw SatchelError(.corrupt, "a record was damaged while it was being compacted")
    }
    p.storeBytes(of: crc, toByteOffset: 12, as: UInt32.self)
    if !keepsMore { p.storeBytes(of: 0, toByteOffset: 59, as: UInt8.self) }
    crc = Record.seal(p, salt: fields.salt)
    end += size
  }

  private mutating func append(
    _ record: Record, _ writer: inout FrameBuffer, _ file: borrowing NewFile
  ) throws(SatchelError) {
    let p = try writer.room(for: record.size, file)
    crc = record.store(at: p, prev: crc, salt: fields.salt)
    end += record.size
  }

  private func lostRecord(_ hash: UInt64, _ store: StorePointer) -> Record {
    let none = UnsafeRawBufferPointer(start: nil, count: 0)
    return Record(
      operation: .lost, key: none, value: none, revision: fields.baseRevision, keyHash: hash, order: 0,
      time: scs_now_ns(), processID: Identity.processID, userID: store.pointee.userID, program: store.pointee.program)
  }
}

/// Frames on their way into a new file, a mebibyte at a time.
struct FrameBuffer: ~Copyable {
  private var bytes: UnsafeMutableRawPointer
  private var room = 1 << 20
  private var used = 0
  private var offset: Int

  init(_ file: borrowing NewFile, at offset: Int) throws(SatchelError) {
    bytes = try Self.allocate(room)
    self.offset = offset
  }

  deinit { free(bytes) }

  private static func allocate(_ size: Int) throws(SatchelError) -> UnsafeMutableRawPointer {
    guard let bytes = malloc(size) else { throw SatchelError(.noMemory, "no memory to compact") }
    return bytes
  }

  mutating func room(for size: Int, _ file: borrowing NewFile) throws(SatchelError) -> UnsafeMutableRawPointer {
    if used + size > room {
      try flush(file)
      if size > room { try grow(to: size) }
    }
    defer { used += size }
    return bytes + used
  }

  private mutating func grow(to size: Int) throws(SatchelError) {
    let larger = try Self.allocate(size)
    free(bytes)
    bytes = larger
    room = size
  }

  mutating func flush(_ file: borrowing NewFile) throws(SatchelError) {
    try file.write(UnsafeRawBufferPointer(start: bytes, count: used), at: offset)
    offset += used
    used = 0
  }
}
