import SatchelSystem

/// Closed handles, oldest first: their memory stays readable, and is used again only after many others have been closed, so
/// that a call on a closed handle gets an answer, not a crash.
final class ClosedHandles<Handle: ~Copyable>: @unchecked Sendable {
  private let most = 1024
  private let lock = Word.allocate()
  private var handles: [UnsafeMutablePointer<Handle>] = []
  private var next = 0

  func put(_ handle: UnsafeMutablePointer<Handle>) {
    ProcessLock.acquire(lock)
    handles.append(handle)
    ProcessLock.release(lock)
  }

  /// One that has been closed long enough, or a new one.
  func take(orMake make: () -> Handle) -> UnsafeMutablePointer<Handle> {
    ProcessLock.acquire(lock)
    let old = oldest()
    ProcessLock.release(lock)
    if let old { return old }
    let handle = UnsafeMutablePointer<Handle>.allocate(capacity: 1)
    handle.initialize(to: make())
    return handle
  }

  private func oldest() -> UnsafeMutablePointer<Handle>? {
    guard handles.count - next > most else { return nil }
    defer {
      next += 1
      if next == most {
        handles.removeFirst(next)
        next = 0
      }
    }
    return handles[next]
  }
}
