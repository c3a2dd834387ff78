import Glibc
import SatchelSystem

extension UnsafeMutablePointer where Pointee == Store {
  /// Index lock held, the domain's lock not. Brings the mirror up to the file; true where another generation may be the store
  /// now. Where none can be opened, what is known goes on to answer.
  func isOutdated(_ generation: GenerationPointer) -> Bool {
    let isShared = generation.pointee.opener != ProcessMark.mine && generation.reopen() != 0
    switch generation.refresh(isLocked: false) {
    case .done: return isShared
    case .outdated: return true
    // The server may have dropped a file that another machine has replaced.
    case .failed: return isShared || !generation.isStillAt(pointee.path)
    }
  }

  /// Writer lock held. A forked child needs a description of its own before it locks anything: its parent would not be kept
  /// out. nil, or why it has none.
  @inline(never)
  func takeOver(_ generation: GenerationPointer) -> SatchelError.Code? {
    let error = locked(pointee.indexLock) { generation.reopen() }
    return error == 0 || follow(from: generation) ? nil : SatchelError.Code(errno: error)
  }

  /// The domain's lock held. nil when the mirror is up to date. Else the lock has been given back: to be tried again where
  /// another generation is the store now, or the answer.
  func refreshForWriting(_ generation: GenerationPointer) -> SatchelError.Code? {
    let refresh = locked(pointee.indexLock) { generation.refresh(isLocked: true) }
    if refresh == .done { return nil }
    generation.unlock()
    return followForWriting(generation, refresh)
  }

  private func followForWriting(_ generation: GenerationPointer, _ refresh: Generation.Refresh) -> SatchelError.Code {
    if case .failed(let error) = refresh, generation.isStillAt(pointee.path) { return SatchelError.Code(errno: error) }
    do throws(SatchelError) {
      try replace(generation, by: try openOrCreate())
      return .busy
    } catch { return error.code }
  }

  /// Index lock and the domain's lock held: what was committed is in the mirror, and on the disk.
  func adopt(_ committed: UInt64, _ generation: GenerationPointer, _ end: Int) {
    generation.adopt(committed, end: end)
    generation.raiseDurable(committed)
  }

  /// What a refused write means for the handle.
  func failure(writing generation: GenerationPointer, _ error: Int32) -> SatchelError.Code {
    if generation.pointee.hasFailedToSync { pointee.hasFailedToSync.store(true, ordering: .relaxed) }
    return SatchelError.Code(errno: error)
  }
}
