extension OrderedDictionary: CustomStringConvertible, CustomDebugStringConvertible {
  /// As a `Dictionary` describes itself: `["b": 1, "a": 2]`. O(n).
  public var description: String {
    guard !isEmpty else { return "[:]" }
    return "[" + map { "\(String(reflecting: $0.key)): \(String(reflecting: $0.value))" }.joined(separator: ", ") + "]"
  }

  public var debugDescription: String { description }
}

extension OrderedDictionary: CustomReflectable {
  /// What debuggers and `dump` show: the entries in order.
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: self, displayStyle: .dictionary) }
}
