import Foundation
import Satchel

extension Data: ValueConvertible {
  public init(value: Value) throws(SatchelError) { self.init(try value.asData()) }
  public func makeValue() -> Value { .data(Array(self)) }
}
