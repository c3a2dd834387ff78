import Foundation
import SatchelCollections
import Testing

@Suite struct OrderedCoding {
  typealias Letters = OrderedDictionary<String, Int>

  private struct Request: Codable, Equatable {
    @KeyedObject var headers: OrderedDictionary<String, Int> = [:]
  }

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }

  private func decode<Value: Decodable>(_ text: String, as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }

  @Test func keysAndValuesInTurn() throws {
    let table: Letters = ["b": 1, "a": 2]
    #expect(try json(table) == #"["b",1,"a",2]"#)
    #expect(try json([3: true] as OrderedDictionary<Int, Bool>) == "[3,true]")
    #expect(try decode(#"["b",1,"a",2]"#) == table)
    #expect(try decode("[]") == [:] as Letters)
    #expect(try decode(#"["b",1,"a",2,"b",3]"#) == ["b": 3, "a": 2] as Letters)
  }

  @Test func objectsWhereKeysAreStrings() throws {
    #expect(try json(KeyedObject(wrappedValue: ["b": 1] as Letters)) == #"{"b":1}"#)
    #expect(try decode(#"{"b":1,"a":2}"#, as: Letters.self).isEqualIgnoringOrder(["a": 2, "b": 1]))
    let request = Request(headers: ["b": 1, "a": 2])
    let decoded: Request = try decode(try json(request))
    #expect(decoded.headers.isEqualIgnoringOrder(request.headers))
    #expect(try json(Request()) == #"{"headers":{}}"#)
    #expect(try decode(#"{"headers":["b",1]}"#) == Request(headers: ["b": 1]))
  }

  @Test func objectsWhereTheEncoderKeepsTheirOrder() throws {
    let encoder = JSONEncoder()
    encoder.userInfo[.keepsKeyOrder] = true
    #expect(try encoder.encode(["b": 1] as Letters) == Data(#"{"b":1}"#.utf8))
    #expect(try encoder.encode([3: 1] as OrderedDictionary<Int, Int>) == Data("[3,1]".utf8))
  }

  @Test func whatIsNoDictionary() {
    for text in [#"["a"]"#, #"["a",1,"b"]"#, #"[1,1]"#, #"["a","b"]"#, "1", #"{"a":"b"}"#] {
      #expect(throws: DecodingError.self) { try decode(text, as: Letters.self) }
    }
    #expect(throws: DecodingError.self) { try decode(#"{"1":1}"#, as: OrderedDictionary<Int, Int>.self) }
  }
}
