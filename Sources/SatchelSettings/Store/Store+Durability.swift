import Glibc
import SatchelSystem
import Synchronization

extension UnsafeMutablePointer where Pointee == Store {
  /// Returns when everything acknowledged before the call is on disk. One fdatasync serves all who wait for it.
  package func sync() -> SatchelError.Code? {
    // In portable mode what others have acknowledged is seen only by looking.
    _ = revision()
    let generation = retainGeneration()
    defer { generation.release() }
    let target = CommitWord.length(generation.committed)
    return locked(pointee.syncLock) { () -> SatchelError.Code? in
      if pointee.hasFailedToSync.load(ordering: .relaxed) { return .io }
      if isDurable(generation, target) { return nil }
      // Everything committed by now, not only what this caller waits for.
      let committed = generation.committed
      guard fdatasync(generation.pointee.descriptor) == 0 else {
        // Kernels report a failed write-back once and may drop the pages: trying again would only look like success.
        pointee.hasFailedToSync.store(true, ordering: .relaxed)
        return SatchelError.Code(errno: errno)
      }
      if generation.pointee.isWritable, committed & CommitWord.retired == 0 { generation.raiseDurable(committed) }
      return nil
    }
  }

  private func isDurable(_ generation: GenerationPointer, _ length: Int) -> Bool {
    let word = generation.word(Header.durable).pointee.load(ordering: .acquiring)
    return CommitWord.checkedLength(word, generation.fields).map { $0 >= length } ?? false
  }
}
