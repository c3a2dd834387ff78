import SatchelSettings
import SatchelSystem
import SatchelValues

/// What the `--if-…` flags ask for.
enum Condition {
  case none
  case equals(Value)
  case absent
  case revision(UInt64)

  static let flags: [Flag] = [.ifEquals, .ifAbsent, .ifRevision]

  init(_ arguments: Arguments, _ type: TypeName) throws(Failure) {
    if let text = arguments.value(.ifEquals) {
      self = .equals(try type.value(of: text, for: "--if-equals"))
    } else if let revision = try arguments.number(.ifRevision) {
      self = .revision(revision)
    } else {
      self = arguments.has(.ifAbsent) ? .absent : .none
    }
  }

  /// Whether a key without a value can meet it.
  var allowsAbsence: Bool {
    switch self {
    case .none, .absent, .revision(0): true
    case .equals, .revision: false
    }
  }

  /// Sets `key` (nil: removes it) if the condition holds; false where it does not.
  func apply(_ desired: Value?, to key: String, of settings: Settings) throws(SatchelError) -> Bool {
    switch self {
    case .none:
      guard let desired else { return try settings.remove(key) }
      try settings.set(desired, for: key)
      return true
    case .equals(let expected): return try settings.compareAndSet(key, expected: expected, desired: desired)
    case .absent: return try settings.compareAndSet(key, expected: nil, desired: desired)
    case .revision(let revision): return try settings.compareAndSet(key, revision: revision, desired: desired)
    }
  }
}
