import Foundation
import Satchel

extension UUID: ValueConvertible {
  public init(value: Value) throws(SatchelError) { self.init(try value.asUniqueID()) }
  public func makeValue() -> Value { .uuid(UniqueID(self)) }

  /// The same sixteen bytes.
  public init(_ id: UniqueID) {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) { $0.copyBytes(from: id.bytes) }
    self.init(uuid: bytes)
  }
}

extension UniqueID {
  /// The same sixteen bytes.
  public init(_ uuid: UUID) {
    let (high, low) = withUnsafeBytes(of: uuid.uuid) { bytes in
      (
        UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
    self.init(high: high, low: low)
  }
}
