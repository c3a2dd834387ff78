// No literal for nil: `dictionary[key] = nil` has to go on meaning "remove".

extension Value: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension Value: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int64) { self = .int(value) }
}

extension Value: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension Value: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
}

extension Value: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
}

extension Value: ExpressibleByDictionaryLiteral {
  /// In the order written; of two equal keys the later value stays, at the earlier place.
  public init(dictionaryLiteral elements: (String, Value)...) {
    var entries = ValueDictionary()
    for (key, value) in elements { entries.updateValue(value, forKey: key) }
    self = .dictionary(entries)
  }
}
