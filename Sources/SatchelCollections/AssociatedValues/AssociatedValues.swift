/// Values attached to objects of any class, without a change to the class: a name space of them.
///
/// ```swift
/// extension AssociatedKey where Value == String { static var nickname: Self { "nickname" } }
/// let notes = AssociatedValues()
/// notes[document, .nickname] = "draft"
/// notes.removeAll(from: document)  // what others have attached stays
/// ```
///
/// Each instance is a name space of its own: make one, keep it in a `static let`, and nobody else's names and removals meet it.
///
/// An object that has died has no values any more, whatever is later made at its address. What it held strongly is let go
/// - at once, where its class is an ``AssociatedValuesOwner``;
/// - else by the sweep: Swift tells nobody of an object's death, so each further object that gets a value of this name space
///   looks after two places, and the room stays in proportion to the most that lived at one time. ``removeExpired()`` does it all.
///
/// A name space that goes takes its values with it; owners keep theirs to their own end.
///
/// An attached value that holds its object strongly keeps it alive for ever; attach it weakly. In the object's own `deinit`
/// its values are gone already, unless it is an owner.
///
/// Any thread, also in a forked child; no code of others runs under a lock. A value that is not `Sendable` is for the thread
/// that it was made for, here as elsewhere.
public final class AssociatedValues: @unchecked Sendable {
  /// Tells the entries of one name space from those of others.
  final class Space {}
  let space = Space()
  private let storages = WeakTable<ObjectIdentifier, AnyObject, AssociatedStorage>()

  public init() {}

  deinit { storages.close() }

  /// The value of the key, or nil where there is none, where it has died, or where it is of another type. Setting nil removes.
  ///
  /// - Complexity: O(*k*), where *k* is the number of values attached to the object.
  public subscript<Value>(object: AnyObject, key: AssociatedKey<Value>) -> Value? {
    get { storage(of: object)?.value(space, key.name) as? Value }
    set {
      if let newValue {
        madeStorage(of: object).set(space, key.name, key.hold(newValue))
      } else {
        storage(of: object)?.set(space, key.name, nil)
      }
    }
  }

  /// The value of the key, or `default`. Changing it in place is reading and writing, not one step for other threads.
  ///
  /// - Complexity: O(*k*), where *k* is the number of values attached to the object.
  public subscript<Value>(object: AnyObject, key: AssociatedKey<Value>, default otherwise: @autoclosure () -> Value)
    -> Value
  {
    get { self[object, key] ?? otherwise() }
    set { self[object, key] = newValue }
  }

  /// Removes all values of this name space from the object.
  ///
  /// - Complexity: O(*k*), where *k* is the number of values attached to the object.
  public func removeAll(from object: AnyObject) { storage(of: object)?.removeAll(space) }

  /// Lets go all values of objects that have died.
  ///
  /// - Complexity: O(*n*), where *n* is the number of objects that are no owners and have values of this name space.
  public func removeExpired() { _ = storages.removeExpired() }

  private func storage(of object: AnyObject) -> AssociatedStorage? {
    if let owner = object as? any AssociatedValuesOwner { return owner.associatedValues }
    return storages.get(ObjectIdentifier(object))?.extra
  }

  private func madeStorage(of object: AnyObject) -> AssociatedStorage {
    if let known = storage(of: object) { return known }
    let made = AssociatedStorage()
    return storages.set(ObjectIdentifier(object), object, made, .keep)?.1 ?? made
  }
}
