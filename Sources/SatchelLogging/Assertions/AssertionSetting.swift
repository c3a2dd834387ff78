import SatchelSystem
import Synchronization

/// The policy of a log in this process.
final class AssertionSetting: @unchecked Sendable {
  private let lock = Word.allocate()
  private var current = AssertionPolicy.log
  private let isIgnoring = Atomic(false)

  var isActive: Bool { !isIgnoring.load(ordering: .relaxed) }

  var policy: AssertionPolicy {
    get {
      ProcessLock.acquire(lock)
      defer { ProcessLock.release(lock) }
      return current
    }
    set {
      ProcessLock.acquire(lock)
      current = newValue
      ProcessLock.release(lock)
      if case .ignore = newValue {
        isIgnoring.store(true, ordering: .relaxed)
      } else {
        isIgnoring.store(false, ordering: .relaxed)
      }
    }
  }
}
