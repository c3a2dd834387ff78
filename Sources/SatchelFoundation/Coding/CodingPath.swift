import Satchel

/// The key of an element of an array, or of what a class hands to its superclass.
struct PlaceKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(index: Int) {
    stringValue = "[\(index)]"
    intValue = index
  }
  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }
  init?(intValue: Int) { self.init(index: intValue) }

  static let `super` = PlaceKey(stringValue: "super")
}

extension [any CodingKey] {
  /// `address.lines[2]`
  fileprivate var text: String {
    reduce(into: "") { text, key in
      if !(key is PlaceKey) || key.intValue == nil, !text.isEmpty { text += "." }
      text += key.stringValue
    }
  }
}

extension SatchelError {
  /// The same error with the place inside of the value in front.
  func at(_ path: [any CodingKey]) -> SatchelError {
    guard !path.isEmpty else { return self }
    var error = self
    error.message = path.text + ": " + message
    return error
  }

  /// What a coder or a type that codes itself has thrown, as the error of a value.
  init(coding error: any Error) {
    switch error {
    case let error as SatchelError: self = error
    case let error as DecodingError: self = Self.decoding(error)
    case EncodingError.invalidValue(_, let context):
      self = SatchelError(.invalid, context.debugDescription).at(context.codingPath)
    default: self = SatchelError(.type, "\(error)")
    }
  }

  private static func decoding(_ error: DecodingError) -> SatchelError {
    switch error {
    case .keyNotFound(let key, let context):
      return SatchelError(.type, "there is no \(key.stringValue)").at(context.codingPath)
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      if let error = context.underlyingError as? SatchelError { return error.at(context.codingPath) }
      return SatchelError(.type, context.debugDescription).at(context.codingPath)
    @unknown default: return SatchelError(.type, "\(error)")
    }
  }
}

/// Types that are coded element by element although they convert as a whole, so that an error names the place.
protocol ElementwiseCoded {}
extension Array: ElementwiseCoded {}
extension Dictionary: ElementwiseCoded {}
extension OrderedDictionary: ElementwiseCoded {}
