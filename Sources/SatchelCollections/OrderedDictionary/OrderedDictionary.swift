/// Values under keys, in the order in which the keys were first put.
///
/// ```swift
/// var tracks: OrderedDictionary = ["aria": 312, "gigue": 121]
/// tracks["air"] = 290                      // at the end
/// tracks["aria"] = 313                     // where it was
/// tracks.moveToStart("air")
/// tracks.removeValue(forKey: "gigue")      // the others keep their order
/// tracks.keys.elementsEqual(["air", "aria"])
/// ```
///
/// It is a value: a copy is O(1) and independent, and a change copies the contents first if others share them. Finding, putting,
/// removing and moving to either end are O(1) on average, as far as keys hash well; O(1) for additions and moves is amortised.
/// Removal leaves a hole, which costs nothing until somebody asks for positions: those are O(1) while there are no holes and
/// O(log n) otherwise. So queues, stacks and caches that drop what was least recently used take time linear in their operations.
///
/// Keys are compared by `==`. Where a method gets the same key twice, the first one's position and the last one's value stay.
///
/// Memory is 30 to 45 bytes an entry for keys and values of 8 bytes each, more than that of a dictionary which must shift on removal.
/// `compact()` gives back what removal left.
///
/// Like every collection of the standard library it may be read by several threads at once, and changed by one alone.
public struct OrderedDictionary<Key: Hashable, Value> {
  public typealias Element = (key: Key, value: Value)

  @usableFromInline var storage: Storage?

  /// Empty, without memory of its own. O(1).
  @inlinable
  public init() {}

  /// Empty, with room for that many entries. O(capacity).
  @inlinable
  public init(minimumCapacity: Int) {
    if minimumCapacity > 0 { storage = .make(Table(capacity: minimumCapacity)) }
  }
}

extension OrderedDictionary: @unchecked Sendable where Key: Sendable, Value: Sendable {}
