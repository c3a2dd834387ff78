/// Values as CBOR (RFC 8949): one form for each value, readable by any CBOR library. docs/values.md has every byte.
///
/// `encode` and `decode` handle whole values. The `read…` and `write…` functions handle one scalar without allocating
/// or throwing; they are the settings engine's hot path and agree with `decode` on every input.
public enum CBOR {
  @inlinable static var doubleHead: UInt8 { 0xfb }
  @inlinable static var falseByte: UInt8 { 0xf4 }
  @inlinable static var trueByte: UInt8 { 0xf5 }
  @inlinable static var nullByte: UInt8 { 0xf6 }

  /// Standard tags: URI (RFC 8949), UUID (the IANA registry), extended time (RFC 9581).
  @inlinable static var urlTag: UInt64 { 32 }
  @inlinable static var uuidTag: UInt64 { 37 }
  @inlinable static var timeTag: UInt64 { 1001 }

  /// Keys of the map under the time tag: 1 and -9.
  @inlinable static var secondsKey: UInt8 { 0x01 }
  @inlinable static var nanosecondsKey: UInt8 { 0x28 }
}
