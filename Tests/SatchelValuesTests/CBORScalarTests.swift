import SatchelSystem
import SatchelValues
import TestSupport
import Testing

/// The allocation-free readers have to agree with `decode` followed by the coercion, on every input.
func checkScalars(_ bytes: [UInt8]) {
  let value = try? CBOR.decode(bytes)
  bytes.withUnsafeBytes { buffer in
    // A one-byte room, so that there is an address even for no bytes.
    withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { room in
      guard let p = buffer.baseAddress ?? room.baseAddress.map({ UnsafeRawPointer($0) }) else { return }
      let count = buffer.count
      agree(value, { v throws(SatchelError) in .int(try v.asInt64()) }, Int64(-77)) {
        CBOR.readInt64(p, count, &$0)
      } wrap: {
        .int($0)
      }
      agree(value, { v throws(SatchelError) in Value(try v.asUInt64()) }, UInt64(77)) {
        CBOR.readUInt64(p, count, &$0)
      } wrap: {
        Value($0)
      }
      agree(value, { v throws(SatchelError) in .double(try v.asDouble()) }, 77.5) {
        CBOR.readDouble(p, count, &$0)
      } wrap: {
        .double($0)
      }
      agree(value, { v throws(SatchelError) in .bool(try v.asBool()) }, true) {
        CBOR.readBool(p, count, &$0)
      } wrap: {
        .bool($0)
      }
      agree(value, { v throws(SatchelError) in .date(try v.asTimestamp()) }, Timestamp(seconds: 77)) {
        CBOR.readTimestamp(p, count, &$0)
      } wrap: {
        .date($0)
      }
      agree(value, { v throws(SatchelError) in .uuid(try v.asUniqueID()) }, UniqueID(high: 7, low: 7)) {
        CBOR.readUniqueID(p, count, &$0)
      } wrap: {
        .uuid($0)
      }
      checkPayload(value, CBOR.text(p, count))
      if let value { #expect(CBOR.type(of: p, count) == value.type) }
    }
  }
}

private func agree<T>(
  _ value: Value?, _ coerce: (Value) throws(SatchelError) -> Value, _ untouched: T,
  _ read: (inout T) -> SatchelError.Code?, wrap: (T) -> Value
) {
  var out = untouched
  let failed = read(&out)
  guard let value else {
    #expect(failed != nil)
    #expect(wrap(out) == wrap(untouched))
    return
  }
  do throws(SatchelError) {
    let expected = try coerce(value)
    #expect(failed == nil && wrap(out) == expected)
  } catch {
    #expect(failed == error.code)
    #expect(wrap(out) == wrap(untouched))
  }
}

/// Only text that is not UTF-8, or a URL that is none, may have a payload without being a value.
private func checkPayload(_ value: Value?, _ payload: UnsafeRawBufferPointer?) {
  switch value {
  case .string(let text)?, .url(let text)?: #expect(payload.map { Array($0) } == Array(text.utf8))
  case .data(let bytes)?: #expect(payload.map { Array($0) } == bytes)
  case nil: break
  default: #expect(payload == nil)
  }
}

@Suite struct CBORScalars {
  @Test func readersAgreeWithDecode() throws {
    for (_, value) in awkwardValues { checkScalars(try CBOR.encode(value)) }
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<5000 { checkScalars(try CBOR.encode(.random(using: &generator, depth: 1))) }
  }

  @Test func writersAgreeWithEncode() throws {
    var generator = SeededGenerator(seed: 4)
    let random = (0..<5000).map { _ in Value.random(using: &generator, depth: 0) }
    for value in awkwardValues.map(\.value) + random {
      guard let written = written(value) else { continue }
      let encoded = try CBOR.encode(value)
      #expect(encoded.starts(with: written.bytes))
      #expect(written.bytes.count <= written.limit)
      #expect(written.isHead || encoded.count == written.bytes.count)
    }
  }

  private func written(_ value: Value) -> (bytes: [UInt8], limit: Int, isHead: Bool)? {
    switch value {
    case .bool(let flag): (write { CBOR.writeBool(flag, to: $0) }, 1, false)
    case .int(let number): (write { CBOR.writeInt64(number, to: $0) }, 9, false)
    case .uint(let number): (write { CBOR.writeUInt64(number, to: $0) }, 9, false)
    case .double(let number): (write { CBOR.writeDouble(number, to: $0) }, 9, false)
    case .date(let time): (write { CBOR.writeTimestamp(time, to: $0) }, 24, false)
    case .uuid(let id): (write { CBOR.writeUniqueID(id, to: $0) }, 19, false)
    case .string(let text): (write { CBOR.writeTextHeader(count: text.utf8.count, to: $0) }, 9, true)
    case .url(let text): (write { CBOR.writeURLHeader(count: text.utf8.count, to: $0) }, 11, true)
    case .data(let bytes): (write { CBOR.writeDataHeader(count: bytes.count, to: $0) }, 9, true)
    case .null, .array, .dictionary: nil
    }
  }

  /// At an odd address: the engine's buffers promise no alignment.
  private func write(_ body: (UnsafeMutableRawPointer) -> Int) -> [UInt8] {
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { room in
      guard let start = room.baseAddress else { return [] }
      let count = body(start + 1)
      return Array(room[1..<(1 + count)])
    }
  }
}
