import SatchelSystem
import Synchronization

/// The values attached to one object. A class that has one as a stored property gives away its associated values in the very
/// instant an object of it dies; see ``AssociatedValuesOwner``.
public final class AssociatedStorage: @unchecked Sendable {
  private let lock = Word.allocate()
  /// Replaced as a whole, by one store: a child forked in between finds the one or the other.
  private let state = UnsafeMutablePointer<Unmanaged<Contents>>.allocate(capacity: 1)

  public init() { state.initialize(to: .passRetained(Contents([]))) }

  deinit {
    state.pointee.release()
    state.deallocate()
    lock.deallocate()
  }

  private final class Contents {
    let entries: [Entry]
    init(_ entries: [Entry]) { self.entries = entries }
  }

  struct Entry {
    let space: AssociatedValues.Space
    let name: String
    let held: Held

    func isAt(_ space: AssociatedValues.Space, _ name: String) -> Bool { self.space === space && self.name == name }
  }

  private var contents: Contents {
    ProcessLock.acquire(lock)
    defer { ProcessLock.release(lock) }
    return state.pointee.takeUnretainedValue()
  }

  func value(_ space: AssociatedValues.Space, _ name: String) -> Any? {
    contents.entries.first { $0.isAt(space, name) }?.held.value
  }

  func set(_ space: AssociatedValues.Space, _ name: String, _ held: Held?) {
    change { entries in
      entries.removeAll { $0.isAt(space, name) }
      if let held { entries.append(Entry(space: space, name: name, held: held)) }
    }
  }

  func removeAll(_ space: AssociatedValues.Space) { change { $0.removeAll { $0.space === space } } }

  /// What goes away is let go without the lock: its `deinit` may come back here.
  private func change(_ body: (inout [Entry]) -> Void) {
    while true {
      let seen = contents
      var entries = seen.entries
      body(&entries)
      if exchange(seen, for: Contents(entries)) { return }
    }
  }

  private func exchange(_ seen: Contents, for fresh: Contents) -> Bool {
    ProcessLock.acquire(lock)
    let isSame = state.pointee.toOpaque() == Unmanaged.passUnretained(seen).toOpaque()
    if isSame { state.pointee = .passRetained(fresh) }
    ProcessLock.release(lock)
    if isSame { Unmanaged.passUnretained(seen).release() }
    return isSame
  }
}

/// A class whose objects carry their associated values themselves:
///
/// ```swift
/// final class Document: AssociatedValuesOwner { let associatedValues = AssociatedStorage() }
/// ```
public protocol AssociatedValuesOwner: AnyObject {
  /// Always the same one: a stored property.
  var associatedValues: AssociatedStorage { get }
}
