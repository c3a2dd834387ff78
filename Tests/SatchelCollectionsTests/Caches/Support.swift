import Dispatch
import Synchronization

/// What is cached in the tests: it knows its number, and says when it ends.
final class Thing: Sendable {
  let number: Int
  private let atEnd: (@Sendable () -> Void)?

  init(_ number: Int = 0, atEnd: (@Sendable () -> Void)? = nil) {
    self.number = number
    self.atEnd = atEnd
  }

  deinit { atEnd?() }
}

/// A key whose hash all keys share, and whose `==` may do more than compare.
struct RudeKey: Hashable, Sendable {
  let number: Int
  var atComparison: (@Sendable () -> Void)?

  static func == (left: RudeKey, right: RudeKey) -> Bool {
    left.atComparison?()
    right.atComparison?()
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) {}
}

final class Counter: Sendable {
  private let atomic = Atomic<Int>(0)
  var value: Int { atomic.load(ordering: .sequentiallyConsistent) }
  func up() { atomic.add(1, ordering: .sequentiallyConsistent) }
}

/// Runs the body in so many threads at once.
func threads(_ count: Int, _ body: @Sendable (Int) -> Void) {
  DispatchQueue.concurrentPerform(iterations: count, execute: body)
}
