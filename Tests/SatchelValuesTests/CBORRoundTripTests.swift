import SatchelSystem
import SatchelValues
import TestSupport
import Testing

@Suite struct CBORRoundTrips {
  @Test(arguments: awkwardValues.indices)
  func awkward(place: Int) throws {
    let (name, value) = awkwardValues[place]
    let bytes = try CBOR.encode(value)
    let back = try CBOR.decode(bytes)
    #expect(back == value, "\(name)")
    #expect(back.type == value.type, "\(name)")
    #expect(try CBOR.encode(back) == bytes, "\(name)")
    #expect(back.hashValue == value.hashValue, "\(name)")
  }

  @Test func random() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<5000 {
      let value = Value.random(using: &generator)
      #expect(try CBOR.decode(CBOR.encode(value)) == value)
    }
  }

  @Test func thereAreEnoughAwkwardValuesAndTheyDiffer() {
    #expect(awkwardValues.count >= 100)
    #expect(Set(awkwardValues.map(\.name)).count == awkwardValues.count)
    // All but these: NaN stands three times in the list, and the half-way case rounds to 2^53.
    #expect(Set(awkwardValues.map(\.value)).count == awkwardValues.count - 3)
  }

  @Test func deeperThanTheLimitIsRefused() throws {
    var value: Value = [1]
    for _ in 1..<64 { value = [value] }
    _ = try CBOR.encode(value)
    #expect(code { _ = try CBOR.encode([value]) } == .range)
    #expect(code { _ = try CBOR.encode(["a": value]) } == .range)
    let bytes = [UInt8](repeating: 0x81, count: 64) + [0x01]
    _ = try CBOR.decode(bytes)
    #expect(code { _ = try CBOR.decode([0x81] + bytes) } == .range)
    #expect(code { _ = try CBOR.decode([UInt8](repeating: 0x81, count: 1_000_000)) } == .range)
    #expect(code { _ = try CBOR.decode([UInt8](repeating: 0xa1, count: 1_000_000)) } == .parse)
  }

  @Test func badURLsAreRefused() {
    for text in ["", "a b", "a\nb", "\u{7f}"] {
      #expect(code { _ = try CBOR.encode(.url(text)) } == .invalid)
    }
  }

  @Test func aSmallUnsignedIsAnInteger() throws {
    let odd = Value.uint(5)
    #expect(odd == .int(5) && odd.type == .int && odd.hashValue == Value.int(5).hashValue)
    #expect(try CBOR.decode(CBOR.encode(odd)) == .int(5))
    #expect(Value.uint(UInt64(bitPattern: -1)) != .int(-1))
  }
}
