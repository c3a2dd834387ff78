import SatchelCollections
import SatchelSystem

extension OrderedDictionary: ValueConvertible where Key == String, Value: ValueConvertible {
  /// A dictionary whose values all convert, in its order. Where two keys differ only in their normalisation, which Swift's strings do
  /// not tell apart, it throws `.type`: use `ValueDictionary`.
  public init(value: SatchelValues.Value) throws(SatchelError) {
    let entries = try value.asDictionary()
    self.init(minimumCapacity: entries.count)
    for (key, item) in entries {
      do throws(SatchelError) {
        guard append(try Value(value: item), forKey: key) else { throw .sameKey }
      } catch {
        throw error.within("key \(key.quoted)")
      }
    }
  }

  public func makeValue() throws(SatchelError) -> SatchelValues.Value {
    var entries = ValueDictionary(minimumCapacity: count)
    for (key, item) in self { entries.append(try item.makeValue(), forKey: key) }
    return .dictionary(entries)
  }
}
