import SatchelCollections
import SatchelSystem
import SatchelValues
import TestSupport
import Testing

@Suite struct Convertible {
  enum Mode: String, ValueConvertible { case light, dark }
  enum Level: UInt8, ValueConvertible {
    case low = 1
    case high
  }

  private func roundTrips<T: ValueConvertible & Equatable>(_ native: T, _ value: Value) throws {
    #expect(try native.makeValue() == value)
    #expect(try T(value: value) == native)
  }

  @Test func scalars() throws {
    try roundTrips(true, true)
    try roundTrips(Int8.min, -128)
    try roundTrips(Int16.max, 32_767)
    try roundTrips(Int32.min, .int(Int64(Int32.min)))
    try roundTrips(Int64.min, .int(.min))
    try roundTrips(Int.max, .int(.max))
    try roundTrips(UInt8.max, 255)
    try roundTrips(UInt16.max, 65_535)
    try roundTrips(UInt32.max, 4_294_967_295)
    try roundTrips(UInt64.max, Value(UInt64.max))
    try roundTrips(UInt.max, Value(UInt64.max))
    try roundTrips(0.1, 0.1)
    try roundTrips(Float(0.1), .double(Double(Float(0.1))))
    try roundTrips(Float.infinity, .double(.infinity))
    try roundTrips("a", "a")
    try roundTrips(Timestamp(seconds: 1), .date(Timestamp(seconds: 1)))
    try roundTrips(UniqueID(high: 1, low: 2), .uuid(UniqueID(high: 1, low: 2)))
    try roundTrips(Value.null, .null)
    try roundTrips(Mode.dark, "dark")
    try roundTrips(Level.high, 2)
    #expect(try Float(value: .double(.nan)).isNaN)
  }

  @Test func containers() throws {
    try roundTrips([1, 2], [1, 2] as Value)
    try roundTrips([UInt8](), .data([]))
    try roundTrips([UInt8]([1, 2]), .data([1, 2]))
    try roundTrips([Int8]([1, -2]), [1, -2])
    try roundTrips([String](), [])
    try roundTrips([[UInt8]]([[1], []]), [.data([1]), .data([])])
    try roundTrips([Mode.light, .dark], ["light", "dark"])
    try roundTrips(["b": 1, "a": 2], ["a": 2, "b": 1] as Value)
    try roundTrips(["k": ["x": [true]]], ["k": ["x": [true]]] as Value)
    try roundTrips(["b": 1, "a": 2] as ValueDictionary, ["b": 1, "a": 2])
    try roundTrips(["b": [1], "a": []] as OrderedDictionary<String, [Int]>, ["b": [1], "a": []] as Value)
  }

  @Test func nothingIsLostSilently() {
    #expect(code { _ = try Int8(value: 128) } == .range)
    #expect(code { _ = try UInt8(value: -1) } == .range)
    #expect(code { _ = try UInt32(value: 4_294_967_296) } == .range)
    #expect(code { _ = try Int(value: 1.5) } == .type)
    #expect(code { _ = try Int(value: true) } == .type)
    #expect(code { _ = try Bool(value: 1) } == .type)
    #expect(code { _ = try Float(value: 0.1) } == .type)
    #expect(code { _ = try Float(value: 1e300) } == .type)
    #expect(code { _ = try String(value: 1) } == .type)
    #expect(code { _ = try [UInt8](value: [1, 2]) } == .type)
    #expect(code { _ = try [Int](value: .data([1])) } == .type)
    #expect(code { _ = try [Int](value: [1, .null]) } == .type)
    #expect(code { _ = try [String: Int](value: ["caf\u{e9}": 1, "cafe\u{301}": 2]) } == .type)
    let twins: Value = ["caf\u{e9}": 1, "cafe\u{301}": 2]
    #expect(code { _ = try OrderedDictionary<String, Int>(value: twins) } == .type)
    #expect(code { _ = try Mode(value: "blue") } == .type)
    #expect(code { _ = try Level(value: 3) } == .type)
    #expect(code { _ = try Level(value: 300) } == .range)
  }

  @Test func errorsNameThePlace() {
    #expect(
      failure { _ = try [String: [Int]](value: ["a": [1, "x"]]) }?.message
        == "key \"a\": element 1: is a string, not an int")
    #expect(failure { _ = try Mode(value: "blue") }?.message == "\"blue\" is no Mode")
  }
}

@Suite struct UniqueIDs {
  @Test func textAndBytes() throws {
    let text = "01234567-89ab-cdef-fedc-ba9876543210"
    let id = try #require(UniqueID(text: text))
    #expect(id.text == text && UniqueID(text: text.uppercased()) == id && "\(id)" == text)
    #expect(id.high == 0x0123_4567_89ab_cdef && id.low == 0xfedc_ba98_7654_3210)
    #expect(UniqueID(bytes: id.bytes) == id && id.bytes.first == 1 && id.bytes.last == 0x10)
    #expect(UniqueID(bytes: [UInt8](repeating: 0, count: 15)) == nil)
  }

  @Test func randomOnesAreVersionFour() {
    let ids = (0..<1000).map { _ in UniqueID() }
    #expect(Set(ids).count == 1000)
    #expect(ids.allSatisfy { $0.bytes[6] >> 4 == 4 && $0.bytes[8] >> 6 == 2 })
  }
}
