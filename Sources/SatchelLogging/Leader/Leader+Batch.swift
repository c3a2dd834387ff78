import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension Leader {
  /// One batch. `force`: without holding anything back.
  mutating func drain(force: Bool) -> Outcome {
    let state = control.state
    let urgent = control.urgent.pointee.load(ordering: .acquiring)
    step += clock.sample()
    if renderer.format != directory.configuration.format { renderer = FileRenderer(directory) }
    let gathered = gather()
    guard gathered.count > 0 else {
      seenUrgent = urgent
      return .nothing
    }
    let holdsBack = !force && !gathered.isHalfFull && urgent == seenUrgent && !isForEarlierBoot
    let limit = holdsBack ? clock.now.tick &- clock.ticks(in: Leader.holdBack) : UInt64.max
    var batch = Batch(start: control.batch, newest: newest, sources: gathered.count)
    batch.recorded = recorder?.head ?? 0
    memcpy(planned, tails, ControlLayout.slots * MemoryLayout<UInt64>.stride)
    if step != 0, !isForEarlierBoot { batch.end = renderer.clockStep(step, clock, control.batch) }
    merge(&batch, upTo: limit)
    guard batch.hasMoved else { return .held }
    let outcome = write(batch, state)
    if outcome == .wrote, batch.sources == 0 { seenUrgent = urgent }
    return outcome
  }

  /// What a batch is made of, as far as it is built.
  struct Batch {
    let start: UnsafeMutableRawPointer
    var end: UnsafeMutableRawPointer
    var newest: UInt64
    /// Rings that have something left.
    var sources: Int
    var hasMoved = false
    var lines: UInt64 = 0
    /// The day of its file, once its first record is there.
    var day: Int32?
    /// Where the flight recorder stood before, and up to where it is told in this batch.
    var recorded: UInt64 = 0
    var told: UInt64?

    init(start: UnsafeMutableRawPointer, newest: UInt64, sources: Int) {
      self.start = start
      end = start
      self.newest = newest
      self.sources = sources
    }

    var bytes: Int { end - start }
  }

  /// The slots that have something to drain.
  private mutating func gather() -> (count: Int, isHalfFull: Bool) {
    var count = 0
    var isHalfFull = false
    let used = Int(control.ringCount.pointee.load(ordering: .acquiring))
    for index in 0..<(used + ControlLayout.cellCount) {
      let slot = index < used ? index : ControlLayout.rings + index - used
      let head = headToDrain(slot)
      let tail = tails[slot]
      guard head != tail, let memory = memory(slot) else { continue }
      if head &- tail > UInt64(ControlLayout.ringSize / 2) { isHalfFull = true }
      let record = UnsafeRawPointer(memory) + offset(slot, tail)
      let tick = record.load(fromByteOffset: RecordLayout.tick, as: UInt64.self)
      sources[count] = Source(slot: slot, position: tail, head: head, tick: tick)
      count += 1
    }
    return (count, isHalfFull)
  }

  private func headToDrain(_ slot: Int) -> UInt64 {
    let head = control.head(slot).pointee.load(ordering: .acquiring)
    guard isForEarlierBoot else { return head }
    let old = control.headOfEarlierBoot(slot).pointee.load(ordering: .relaxed)
    return Int64(bitPattern: old &- tails[slot]) > 0 ? old : tails[slot]
  }

  private func offset(_ slot: Int, _ position: UInt64) -> Int {
    slot >= ControlLayout.rings ? 0 : Int(position & UInt64(ControlLayout.ringSize - 1))
  }

  /// Renders records in the order of their ticks, until one is younger than `limit`, the batch is full, or a new day begins.
  private mutating func merge(_ batch: inout Batch, upTo limit: UInt64) {
    while batch.sources > 0 {
      let (first, second) = earliest(batch.sources)
      guard sources[first].tick <= limit else { return }
      let goesOn = drainRun(first, until: min(second, limit), &batch)
      let source = sources[first]
      planned[source.slot] = source.position
      if source.position == source.head {
        batch.sources -= 1
        sources[first] = sources[batch.sources]
      }
      guard goesOn else { return }
    }
  }

  /// The ring whose next record is the oldest, and the tick of the next oldest.
  private func earliest(_ count: Int) -> (first: Int, second: UInt64) {
    var first = 0
    var second = UInt64.max
    for index in 1..<max(count, 1) where index < count {
      let tick = sources[index].tick
      if tick < sources[first].tick {
        second = sources[first].tick
        first = index
      } else if tick < second {
        second = tick
      }
    }
    return (first, second)
  }

  /// Renders the records of one ring as long as they are the oldest. False where the batch is to end here.
  private mutating func drainRun(_ index: Int, until last: UInt64, _ batch: inout Batch) -> Bool {
    let slot = sources[index].slot
    guard let memory = rings[slot] else { return false }
    repeat {
      let start = memory + offset(slot, sources[index].position)
      guard let record = reader(start, slot, sources[index].head &- sources[index].position) else {
        // It makes no sense, and so nothing behind it can be found.
        control.count(.damaged)
        sources[index].position = sources[index].head
        batch.hasMoved = true
        return true
      }
      let time = clock.time(of: record.tick)
      guard belongs(time, to: &batch), hasRoomForStory(before: record, batch) else { return false }
      if record.isForRecorder {
        recorder?.append(record)
      } else {
        // Also before one that its writer has put into the direct file itself.
        if record.severity.isUrgent { tellStory(&batch) }
        if !isTakenOut(start) { render(record, time, &batch) }
      }
      batch.hasMoved = true
      sources[index].position &+= slot >= ControlLayout.rings ? 1 : UInt64(record.size)
      if batch.bytes > ControlLayout.batchLimit { return false }
      if sources[index].position == sources[index].head { return true }
      let next = UnsafeRawPointer(memory) + offset(slot, sources[index].position)
      sources[index].tick = next.load(fromByteOffset: RecordLayout.tick, as: UInt64.self)
    } while sources[index].tick <= last
    return true
  }

  private func reader(_ start: UnsafeMutableRawPointer, _ slot: Int, _ left: UInt64) -> RecordReader? {
    let room = slot >= ControlLayout.rings ? ControlLayout.cellSize : Int(min(left, UInt64(RecordLayout.longest + 64)))
    return RecordReader(start, room: room)
  }

  /// A batch goes into one file, and a file belongs to one day. A late record of yesterday stays in the file of today.
  private mutating func belongs(_ time: Int64, to batch: inout Batch) -> Bool {
    if let day = batch.day { return renderer.day(of: time) <= day }
    let today = renderer.day(of: clock.now.wall)
    let day = renderer.day(of: time)
    batch.day = file.place.map { max(day, min($0.day, today)) } ?? day
    return true
  }

  /// Whoever took it out, and may see it committed all the same, has to know that it was skipped. Skipped once it stays so: the
  /// batch that skipped it may have been given up.
  private func isTakenOut(_ record: UnsafeMutableRawPointer) -> Bool {
    let mark = UnsafeRawPointer(record).halfWord(at: RecordLayout.mark)
    let value = mark.pointee.load(ordering: .acquiring)
    guard value == Mark.takenOut else { return value == Mark.skipped }
    // Its owner may have put it back.
    return mark.pointee.compareExchange(
      expected: Mark.takenOut, desired: Mark.skipped, ordering: .sequentiallyConsistent
    ).exchanged
  }

  private mutating func render(_ record: RecordReader, _ time: Int64, _ batch: inout Batch) {
    let isLate = record.tick < batch.newest && !isForEarlierBoot
    var time = time
    if isLate {
      control.count(.late)
    } else {
      batch.newest = record.tick
      // Pairs of tick and time differ by some nanoseconds: what is newer is never shown as older.
      if time < lastTime, lastTime &- time < 1_000_000 { time = lastTime }
      lastTime = time
    }
    batch.end = renderer.line(record, time, isLate ? .late : .normal, batch.end)
    batch.lines += 1
  }
}
