import Foundation
import Satchel
import SatchelFoundation
import TestSupport
import Testing

private struct Address: Codable, Equatable {
  var street: String
  var lines: [String]
  var number: Int8?
}

private enum Mode: String, Codable { case light, dark }
private enum Level: Int, Codable { case low = 1, high }
private enum Shape: Codable, Equatable {
  case point
  case circle(radius: Double)
  case labelled(String, at: [Double])
}

private struct Profile: Codable, Equatable {
  var zeta = "first"
  var alpha = 2
  var mode = Mode.dark
  var level = Level.high
  var shapes = [Shape.point, .circle(radius: -0.0), .labelled("a", at: [1, 2])]
  var born = Date(timeIntervalSince1970: -1.5)
  var picture = Data([0, 255])
  var page = URL(string: "https://example.org/a%20b")
  var id = UUID(uuidString: "01234567-89AB-CDEF-8123-456789ABCDEF")
  var bytes: [UInt8] = [1, 2]
  var nothing: Int?
  var holes: [Int?] = [1, nil, 3]
  var addresses = [
    "z": Address(street: "ä b", lines: [], number: nil), "a": Address(street: "", lines: ["x"], number: -1),
  ]
  var large = UInt64.max
  var ratio: Float = 0.1
  var double: Double? = .infinity
}

private class Base: Codable {
  var name = "base"
}
private final class Derived: Base {
  var size = 7
  enum CodingKeys: CodingKey { case size }
  override init() { super.init() }
  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    size = try container.decode(Int.self, forKey: .size)
    try super.init(from: container.superDecoder())
  }
  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(size, forKey: .size)
    try super.encode(to: container.superEncoder())
  }
}

/// Tries one type, then another, as hand-written decoders do.
private enum Either: Codable, Equatable {
  case number(Int)
  case text(String)

  init(from decoder: any Decoder) throws {
    var list = try decoder.unkeyedContainer()
    do { self = .number(try list.decode(Int.self)) } catch is DecodingError {
      self = .text(try list.decode(String.self))
    }
  }
  func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    switch self {
    case .number(let number): try list.encode(number)
    case .text(let text): try list.encode(text)
    }
  }
}

private struct Matrix: Codable, Equatable {
  var rows: [[Int]]
  enum CodingKeys: CodingKey { case rows, note }
  init(rows: [[Int]]) { self.rows = rows }
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    #expect(try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .note).decodeNil(forKey: .note))
    var outer = try container.nestedUnkeyedContainer(forKey: .rows)
    rows = []
    while !outer.isAtEnd {
      var inner = try outer.nestedUnkeyedContainer()
      var row: [Int] = []
      while !inner.isAtEnd { row.append(try inner.decode(Int.self)) }
      rows.append(row)
    }
  }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var outer = container.nestedUnkeyedContainer(forKey: .rows)
    for row in rows {
      var inner = outer.nestedUnkeyedContainer()
      for number in row { try inner.encode(number) }
    }
    var note = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .note)
    try note.encodeNil(forKey: .note)
  }
}

private struct Silent: Codable { func encode(to encoder: any Encoder) throws {} }
private final class Endless: Codable { func encode(to encoder: any Encoder) throws { try [self].encode(to: encoder) } }

private func encoded(_ value: some Encodable) throws -> Value { try ValueEncoder().encode(value) }
private func decoded<T: Decodable>(_ type: T.Type, _ value: Value) throws -> T {
  try ValueDecoder().decode(type, from: value)
}
private func survives<T: Codable & Equatable>(_ native: T) throws -> Bool {
  try decoded(T.self, try encoded(native)) == native
}

@Suite struct Coding {
  @Test func aStructureWithEverything() throws {
    #expect(try survives(Profile()))
    let value = try encoded(Profile())
    let entries = try value.asDictionary()
    #expect(entries.map(\.key).prefix(4) == ["zeta", "alpha", "mode", "level"])
    #expect(entries["mode"] == "dark" && entries["level"] == 2 && entries["bytes"] == .data([1, 2]))
    #expect(try entries["born"] == .date(Timestamp(seconds: -2, nanoseconds: 500_000_000)))
    #expect(entries["page"] == .url("https://example.org/a%20b") && entries["picture"] == .data([0, 255]))
    #expect(entries["id"]?.type == .uuid && entries["nothing"] == nil && entries["holes"] == [1, .null, 3])
    #expect(try entries["addresses"]?.asDictionary().map(\.key) == ["a", "z"])
    // The value is one that a domain can hold.
    #expect(try JSON.parse(try JSON.format(value, pretty: false)) == value)
  }

  @Test func scalarsAndEmptyContainers() throws {
    #expect(try encoded(5) == 5 && encoded("a") == "a" && encoded(true) == true && encoded(Mode.light) == "light")
    #expect(try encoded([Int]()) == [] && encoded([String: Int]()) == [:] && encoded([UInt8]()) == .data([]))
    #expect(try encoded([[UInt8]]([[1]])) == [.data([1])])
    #expect(try survives([Date.distantPast, .distantFuture]) && survives(["b": Data(), "a": Data([1])]))
    #expect(
      try survives(Optional(5)) && survives(Int?.none) && survives([Int?.none, 1]) && survives([[Int]?.none, [1]]))
    #expect(try survives(-0.0) && encoded(-0.0) == -0.0 && survives(Double.infinity))
    #expect(try decoded(Double.self, try encoded(Double.nan)).isNaN)
    #expect(try survives([1: "a", 2: "b"]) && survives([UUID(): 1]) && survives(Set([1, 2, 3])))
    #expect(try survives(Shape.point) && survives(Shape.labelled("", at: [])))
    #expect(try survives(Either.number(1)) && survives(Either.text("a")) && survives(Matrix(rows: [[1], [], [2, 3]])))
    #expect(try survives(1..<5) && survives(Int128(5)) && survives(UInt128(UInt64.max)) && survives(Int128(-5)))
  }

  @Test func equalSetsAndDictionariesEncodeTheSame() throws {
    let numbers = Array(1...200)
    // The order of both depends on how much room they have.
    let sets = [0, 1000, 5000].map { room in
      var set = Set<Int>(minimumCapacity: room)
      for number in numbers { set.insert(number) }
      return set
    }
    let dictionaries = [0, 1000, 5000].map { room in
      var dictionary = [Double: String](minimumCapacity: room)
      for number in numbers { dictionary[Double(number)] = "\(number)" }
      return dictionary
    }
    #expect(Set(sets.map { Array($0) }).count > 1, "these sets show nothing")
    #expect(try Set(sets.map { try encoded($0) }) == [.array(numbers.map { .int(Int64($0)) })])
    #expect(try Set(dictionaries.map { try encoded($0) }).count == 1)
    #expect(try survives(dictionaries[0]) && survives(sets[0]) && survives([Set([[2, 1]]): Set(["b", "a"])]))
    #expect(try encoded(["b": Set([3, 1])]) == ["b": [1, 3]] && encoded([3, 1]) == [3, 1])
  }

  @Test func anOrderedDictionaryKeepsItsOrder() throws {
    let homes: OrderedDictionary = [
      "z": Address(street: "ä b", lines: [], number: nil), "a": Address(street: "", lines: ["x"], number: -1),
    ]
    #expect(try survives(homes) && survives([3: "c", 1: "a"] as OrderedDictionary<Int, String>))
    #expect(try encoded(homes).asDictionary().map(\.key) == ["z", "a"])
    #expect(try encoded(["b": 1, "a": 2] as OrderedDictionary<String, Int>) == ["b": 1, "a": 2])
  }

  @Test func aDictionaryIsOrderedByItsKeysInEveryProcess() throws {
    let many = Dictionary(uniqueKeysWithValues: (0..<200).map { ("k\($0)", $0) })
    let keys = try encoded(many).asDictionary().map(\.key)
    #expect(keys == keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(try encoded(Optional(many)) == encoded(many))
  }

  @Test func aSubclassKeepsItsSuperclass() throws {
    let object = Derived()
    object.name = "changed"
    object.size = 9
    let again = try decoded(Derived.self, try encoded(object))
    #expect(again.name == "changed" && again.size == 9)
    #expect(try encoded(object) == ["size": 9, "super": ["name": "changed"]])
  }

  @Test func wholeNumbersConvertAsElsewhere() throws {
    #expect(try decoded(Int.self, 3.0) == 3 && decoded(Double.self, 3) == 3)
    #expect(code { _ = try decoded(Int.self, 3.5) } == .type)
    #expect(code { _ = try decoded(Int8.self, 128) } == .range)
    #expect(code { _ = try decoded(UInt.self, -1) } == .range)
    #expect(code { _ = try decoded(Int64.self, Value(UInt64.max)) } == .range)
    #expect(code { _ = try encoded(Int128.max) } == .range)
    #expect(code { _ = try decoded(UInt128.self, -1) } == .range)
  }

  @Test func anErrorNamesThePlace() throws {
    func message<T: Decodable>(_ type: T.Type, _ value: Value) -> String {
      failure { _ = try decoded(type, value) }?.message ?? "none"
    }
    #expect(message(Address.self, ["street": "s", "lines": ["a", 5]]).hasPrefix("lines[1]: is an int"))
    #expect(
      message([String: Address].self, ["home": ["street": "s", "lines": [], "number": 300]])
        .hasPrefix("home.number: 300 does not fit"))
    #expect(message(Address.self, ["lines": []]) == "there is no street")
    #expect(message([Address].self, [["street": "s", "lines": []], ["street": "s"]]) == "[1]: there is no lines")
    #expect(message(Address.self, 5).hasPrefix("is an int, not a dictionary"))
    #expect(message([Mode].self, ["dark", "grey"]).hasPrefix("[1]: "))
    #expect(message([[Int]].self, [[1], [2, "x"]]).hasPrefix("[1][1]: "))
    #expect(message([Int].self, [.null]).hasPrefix("[0]: is null"))
    #expect(message(Either.self, []).hasPrefix("[0]: there are only 0"))
    let unencodable = ["a": [Date(timeIntervalSince1970: .nan)]]
    #expect(failure { _ = try encoded(unencodable) }?.message.hasPrefix("a[0]: ") == true)
    #expect(code { _ = try encoded(unencodable) } == .invalid)
  }

  @Test func whatCannotBeEncodedIsRefused() {
    #expect(code { _ = try encoded(Silent()) } == .invalid)
    #expect(code { _ = try encoded([Silent()]) } == .invalid)
    #expect(code { _ = try encoded(Endless()) } == .range)
  }
}

@Suite struct StoredCoded {
  @Test func throughADomain() throws {
    let folder = ScratchFolder("coding")
    var options = Settings.Options()
    options.directory = folder.path
    let settings = try Settings(domain: "coded", options: options)
    try settings.set(encoding: Profile(), for: "profile")
    #expect(try settings.get("profile", decoding: Profile.self) == Profile())
    #expect(try settings.get("profile", as: Coded<Profile>.self) == Coded(Profile()))
    #expect(try settings.get("absent", decoding: Profile.self) == nil)
    try settings.transaction { transaction in
      try transaction.set(encoding: [Mode.dark], for: "modes")
      #expect(try transaction.get("modes", decoding: [Mode].self) == [.dark])
    }
    #expect(try settings.get("modes", as: [String].self) == ["dark"])
    let error = failure { _ = try settings.get("profile", decoding: Address.self) }
    #expect(error?.code == .type && error?.key == "profile" && error?.message == "there is no street")
    #expect(failure { try settings.set(encoding: Int?.none, for: "nil") }?.key == "nil")
    #expect(code { try settings.set(encoding: Int?.none, for: "nil") } == .type)
  }
}
