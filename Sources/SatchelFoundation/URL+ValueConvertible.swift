import Foundation
import Satchel

extension URL: ValueConvertible {
  /// A URL, or a string that is an absolute one. Throws `.type` also for text that Foundation does not take for a URL.
  public init(value: Value) throws(SatchelError) {
    let text = try value.asURL()
    guard let url = URL(string: text) else { throw SatchelError(.type, "not a URL to Foundation") }
    self = url
  }

  /// The absolute form: a base URL, which a value cannot hold, is resolved first. Throws `.invalid` for text that is no
  /// URL.
  public func makeValue() throws(SatchelError) -> Value {
    let text = absoluteString
    guard Value.isURL(text) else { throw SatchelError(.invalid, "not a URL that a value can hold") }
    return .url(text)
  }
}
