extension StaticString {
  /// Byte by byte, without making a string.
  @inline(__always)
  func isSame(as bytes: some Collection<UInt8>) -> Bool {
    bytes.count == utf8CodeUnitCount
      && bytes.elementsEqual(UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount))
  }
}
