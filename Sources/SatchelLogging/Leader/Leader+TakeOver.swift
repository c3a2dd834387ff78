import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension Leader {
  /// What a new leader does first: it finishes the batch that its predecessor has announced. Nothing in a file is ever cut, and no
  /// file is made longer but by appending. False where the disk has no room and a temporary leader does not wait.
  mutating func takeOver() -> Bool {
    control.count(.takeOvers)
    let place = ControlLayout.counters + Counter.leader.rawValue * 8
    control.at(place).pointee.store(UInt64(UInt32(bitPattern: getpid())), ordering: .relaxed)
    seenUrgent = control.urgent.pointee.load(ordering: .acquiring) &- 1
    let state = control.state
    if state.isWriting, !finish(state) { return false }
    loadCommitted()
    drainEarlierBoot()
    return true
  }

  private mutating func finish(_ state: CommitState) -> Bool {
    let slot = control.commit(state.sequence + 1)
    let count = slot.bytes
    if count == 0 {
      commit(state)
      return true
    }
    guard (0...ControlLayout.batchRoom).contains(count), file.open(as: slot.file, named: slot.name),
      file.identity.size >= slot.fileStart
    else {
      // Cut, deleted, moved away: the records are still in the rings.
      control.word.pointee.store(state.abandoned.bits, ordering: .sequentiallyConsistent)
      control.count(.abandoned)
      return true
    }
    let excess = Int(clamping: file.identity.size - slot.fileStart)
    let same = file.matches(control.batch, min(excess, count), at: slot.fileStart)
    if same < count {
      guard complete(from: same, of: count, isForeign: same < excess) else { return false }
    }
    commit(state)
    return true
  }

  /// `isForeign`: behind a part of the batch stands what is none of it. That line is closed, and the batch goes on with the line
  /// that was torn.
  private mutating func complete(from same: Int, of count: Int, isForeign: Bool) -> Bool {
    guard isForeign else {
      control.count(.completed)
      return append(from: same, of: count)
    }
    control.count(.foreign)
    var lineFeed = UInt8(ascii: "\n")
    guard Glibc.write(file.descriptor, &lineFeed, 1) == 1 || !isTemporary else { return false }
    return append(from: startOfLine(same), of: count)
  }

  private mutating func loadCommitted() {
    let slot = control.commit(control.state.sequence)
    memcpy(planned, slot.tails, ControlLayout.slots * MemoryLayout<UInt64>.stride)
    // The dead leader may not have come to it.
    for index in 0..<ControlLayout.slots {
      tails[index] = planned[index]
      control.tail(index).pointee.store(planned[index], ordering: .releasing)
    }
    newest = slot.newest
    if file.place == nil, slot.file.inode != 0 { file.place = slot.name }
  }

  /// Records from before the machine was started last, by the clock of that time.
  private mutating func drainEarlierBoot() {
    isForEarlierBoot = true
    if gatherCount() > 0 {
      let present = clock
      clock = TickClock(earlier: control)
      newest = 0
      while case .wrote = drain(force: true) {}
      clock = present
      newest = 0
    }
    isForEarlierBoot = false
  }

  private func gatherCount() -> Int {
    (0..<ControlLayout.slots).count { slot in
      let old = control.headOfEarlierBoot(slot).pointee.load(ordering: .relaxed)
      return Int64(bitPattern: old &- tails[slot]) > 0
    }
  }
}
