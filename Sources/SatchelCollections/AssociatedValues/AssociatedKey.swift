/// The name and type of a value that can be attached to objects, and how it is held there.
///
/// ```swift
/// extension AssociatedKey where Value == Int { static var visits: Self { "visits" } }
/// extension AssociatedKey where Value == Window { static var owner: Self { Self(weak: "owner") } }
/// ```
///
/// The name alone tells one place from another: a key of the same name and another type means the same place, and finds
/// nothing in it.
public struct AssociatedKey<Value>: ExpressibleByStringLiteral, Sendable {
  public let name: String
  let hold: @Sendable (Value) -> Held

  private init(name: String, hold: @escaping @Sendable (Value) -> Held) {
    self.name = name
    self.hold = hold
  }

  /// Held strongly, as a stored property holds it: objects are retained, value types copied.
  public init(_ name: String) { self.init(name: name) { .strong($0) } }

  public init(stringLiteral name: String) { self.init(name) }

  /// What is held is what `copy` makes of the value, so that later changes of an object do not reach it.
  public init(_ name: String, copiedBy copy: @escaping @Sendable (Value) -> Value) {
    self.init(name: name) { .strong(copy($0)) }
  }

  /// Held weakly: nil once nobody else holds the value.
  public init(weak name: String) where Value: AnyObject { self.init(name: name) { .weak(WeakReference($0)) } }
}

enum Held {
  case strong(Any)
  case weak(WeakReference)

  var value: Any? {
    switch self {
    case .strong(let value): value
    case .weak(let reference): reference.object
    }
  }
}

final class WeakReference {
  private(set) weak var object: AnyObject?
  init(_ object: AnyObject) { self.object = object }
}
