import SatchelSystem

extension Array: ValueConvertible where Element: ValueConvertible {
  /// An array whose elements all convert; `[UInt8]` is data.
  public init(value: Value) throws(SatchelError) {
    if Element.self == UInt8.self, let bytes = try value.asData() as? [Element] {
      self = bytes
      return
    }
    var items: [Element] = []
    for (place, item) in try value.asArray().enumerated() {
      do throws(SatchelError) {
        items.append(try Element(value: item))
      } catch {
        throw error.within("element \(place)")
      }
    }
    self = items
  }

  public func makeValue() throws(SatchelError) -> Value {
    if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .data(bytes) }
    var items: [Value] = []
    items.reserveCapacity(count)
    for item in self { items.append(try item.makeValue()) }
    return .array(items)
  }
}

extension Dictionary: ValueConvertible where Key == String, Value: ValueConvertible {
  /// A dictionary whose values all convert. Order is lost; where two keys differ only in their normalisation, which
  /// this type cannot tell apart, it throws `.type`: use `ValueDictionary`.
  public init(value: SatchelValues.Value) throws(SatchelError) {
    self.init()
    for (key, item) in try value.asDictionary() {
      do throws(SatchelError) {
        let old = updateValue(try Value(value: item), forKey: key)
        guard old == nil else { throw SatchelError.sameKey }
      } catch {
        throw error.within("key \(key.quoted)")
      }
    }
  }

  /// Ordered by the bytes of the keys.
  public func makeValue() throws(SatchelError) -> SatchelValues.Value {
    var entries = ValueDictionary(minimumCapacity: count)
    for (key, item) in sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      entries.append(try item.makeValue(), forKey: key)
    }
    return .dictionary(entries)
  }
}

extension SatchelError {
  static var sameKey: SatchelError { SatchelError(.type, "the same as another key to a Swift dictionary") }

  /// The same error with the place inside a container in front.
  func within(_ place: String) -> SatchelError {
    var error = self
    error.message = place + ": " + message
    return error
  }
}
