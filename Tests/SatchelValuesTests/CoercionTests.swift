import SatchelSystem
import SatchelValues
import TestSupport
import Testing

/// The table of docs/values.md.
@Suite struct Coercion {
  enum Answer: Equatable {
    case value(Value)
    case refused(SatchelError.Code)
  }

  private func answer(_ value: Value, as type: ValueType) -> Answer {
    do throws(SatchelError) {
      return .value(try value.converted(to: type))
    } catch {
      return .refused(error.code)
    }
  }

  static let one: [ValueType: Value] = [
    .null: .null, .bool: true, .int: -1, .uint: Value(UInt64.max), .double: 1.5, .string: "1", .data: .data([49]),
    .date: .date(Timestamp(seconds: 1)), .url: .url("a:b"), .uuid: .uuid(UniqueID(high: 0, low: 1)), .array: [1],
    .dictionary: ["a": 1],
  ]

  /// Every type as every other: itself, an error, or one of the few exceptions.
  @Test func everyPair() throws {
    for (from, value) in Self.one {
      for to in ValueType.allCases {
        let expected: Answer =
          switch (from, to) {
          case _ where from == to: .value(value)
          case (.url, .string): .value("a:b")
          case (.int, .double): .value(-1.0)
          case (.int, .uint), (.uint, .int): .refused(.range)
          default: .refused(.type)
          }
        #expect(answer(value, as: to) == expected, "\(from.name) as \(to.name)")
      }
    }
  }

  static let numbers: [(Value, ValueType, Answer)] = [
    (3.0, .int, .value(3)), (-3.0, .int, .value(-3)), (3.0, .uint, .value(3)), (-3.0, .uint, .refused(.range)),
    (0.0, .int, .value(0)), (.double(-0.0), .int, .refused(.type)), (.double(-0.0), .uint, .refused(.type)),
    (3.5, .int, .refused(.type)), (.double(.nan), .int, .refused(.type)), (.double(.infinity), .int, .refused(.type)),
    (.double(-.infinity), .uint, .refused(.type)), (1e30, .int, .refused(.range)), (1e30, .uint, .refused(.range)),
    (.double(0x1p63), .int, .refused(.range)), (.double(0x1p63), .uint, .value(Value(UInt64(1) << 63))),
    (.double(-0x1p63), .int, .value(.int(.min))), (.double(0x1p64), .uint, .refused(.range)),
    (.double((0x1p63).nextDown), .int, .value(.int(9_223_372_036_854_774_784))),
    (.double(.leastNonzeroMagnitude), .int, .refused(.type)), (9_007_199_254_740_992, .double, .value(.double(0x1p53))),
    (9_007_199_254_740_993, .double, .refused(.type)), (-9_007_199_254_740_993, .double, .refused(.type)),
    (9_007_199_254_740_994, .double, .value(9_007_199_254_740_994.0)), (.int(.min), .double, .value(.double(-0x1p63))),
    (.int(.max), .double, .refused(.type)), (Value(UInt64(1) << 63), .double, .value(.double(0x1p63))),
    (Value(UInt64.max), .double, .refused(.type)), (Value(UInt64(1) << 63), .int, .refused(.range)),
    (.int(.max), .uint, .value(.int(.max))), (.double(.nan), .double, .value(.double(.nan))),
    ("https://example.org", .url, .value(.url("https://example.org"))), ("hello", .url, .refused(.type)),
    ("", .url, .refused(.type)), ("a: b", .url, .refused(.type)), (.url("rel"), .url, .value(.url("rel"))),
    ("true", .bool, .refused(.type)), (1, .bool, .refused(.type)), (0, .bool, .refused(.type)),
    ("2026-01-01T00:00:00Z", .date, .refused(.type)), ("AA==", .data, .refused(.type)),
  ]

  @Test(arguments: numbers.indices)
  func number(place: Int) {
    let (value, type, expected) = Self.numbers[place]
    #expect(answer(value, as: type) == expected)
  }

  @Test func errorsSayWhatIsThere() {
    #expect(failure { _ = try Value.string("x").asInt64() }?.message == "is a string, not an int")
    #expect(failure { _ = try Value.double(3.5).asInt64() }?.message.contains("3.5") == true)
    #expect(failure { _ = try Value(UInt64.max).asInt64() }?.message.contains("18446744073709551615") == true)
  }
}

@Suite struct Equality {
  @Test func isByteByByteAndBitByBit() {
    #expect(Value.string("caf\u{e9}") != .string("cafe\u{301}"))
    #expect("caf\u{e9}" == "cafe\u{301}", "Swift's own equality, which is why ours is needed")
    #expect(Value.url("x:caf\u{e9}") != .url("x:cafe\u{301}"))
    #expect(Value.double(0) != .double(-0.0))
    #expect(Value.double(.nan) == .double(-.nan))
    #expect(Value.int(3) != .double(3))
    #expect(Value.string("a:b") != .url("a:b"))
    #expect((["a": 1, "b": 2] as Value) != ["b": 2, "a": 1])
    #expect((["caf\u{e9}": 1] as Value) != ["cafe\u{301}": 1])
    #expect(Value.array([]) != .dictionary([:]) && Value.string("") != .data([]) && Value.null != .bool(false))
  }
}
