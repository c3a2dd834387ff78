import CSatchelSystem
import Glibc
import SatchelSystem
import Synchronization

extension LogDirectory {
  /// One record of a program that ends soon: no thread, no ring, but a cell of the mailbox, and the leadership for a moment where
  /// nobody else has it. It is in a file when this returns. `fill` writes the segments.
  package func post(
    _ severity: Severity, _ category: String, fill: (inout RecordWriter) -> Void
  ) throws(SatchelError) -> Logger.Answer {
    let logger = try logger(category)
    guard logger.isEnabled(severity) else { return .disabled }
    guard let view = Views.withoutRing(self), Scratch.begin(view) else {
      throw SatchelError(.noMemory, "out of memory")
    }
    defer { Views.free(view) }
    var claimed: Int?
    forked.locked {
      claimed = claim(ControlLayout.rings..<ControlLayout.slots, first: Int(getpid()) % ControlLayout.cellCount)
    }
    let cell = claimed
    defer { if let cell { forked.locked { giveBack(cell) } } }
    var writer = RecordWriter(view)
    if logger.state.pointee.longCategory != nil { writer.resume(logger.writeCategory(view, writer.at)) }
    fill(&writer)
    let record = complete(view, writer.at, severity, logger.state.pointee.category)
    let size = Int(record.load(as: UInt32.self))
    guard let cell, size <= ControlLayout.cellSize else {
      return DirectFile.write(record, .direct, self) ? .logged : .lost
    }
    return settle(record, size, cell)
  }

  /// All of a record but its publication.
  private func complete(
    _ view: Views.View, _ end: UnsafeMutableRawPointer, _ severity: Severity, _ category: UInt8
  ) -> UnsafeMutableRawPointer {
    Producer.complete(view, end, severity, category, kind: 0, line: 0)
    let record = UnsafeMutableRawPointer(view.pointee.record.unsafelyUnwrapped)
    record.storeBytes(of: tick, toByteOffset: RecordLayout.tick, as: UInt64.self)
    return record
  }

  private func settle(_ record: UnsafeMutableRawPointer, _ size: Int, _ slot: Int) -> Logger.Answer {
    let cell = control.cell(slot)
    memcpy(cell, record, size)
    let target = control.head(slot).pointee.load(ordering: .relaxed) &+ 1
    control.head(slot).pointee.store(target, ordering: .releasing)
    return Settling(directory: self, slot: slot, target: target, record: cell).settle(
      patience: 100_000_000, leads: true)
  }
}
