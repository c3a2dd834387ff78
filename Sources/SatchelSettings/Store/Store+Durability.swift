import Glibc
import SatchelSystem
import Synchronization

extension UnsafeMutablePointer where Pointee == Store {
  /// Returns when everything acknowledged before the call is on disk. One fdatasync serves all who wait for it.
  package func sync() -> SatchelError.Code? {
    // What others have acknowledged may lie in another file by now; in portable mode it is seen only by looking.
    var gone: UInt64?
    while true {
      var revision: UInt64 = 0
      if let code = self.revision(&revision) { return code }
      let generation = retainGeneration()
      defer { generation.release() }
      if generation.committed & CommitWord.retired == 0 || generation.isStillAt(pointee.path) {
        return sync(generation)
      }
      // It was replaced just now; or what is there cannot be opened.
      let number = generation.fields.generation
      if gone == number { return .io }
      gone = number
    }
  }

  /// The same for what this process has just written: whoever has replaced its file since has synced that.
  func syncWritten() -> SatchelError.Code? {
    let generation = retainGeneration()
    defer { generation.release() }
    return sync(generation)
  }

  private func sync(_ generation: GenerationPointer) -> SatchelError.Code? {
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
