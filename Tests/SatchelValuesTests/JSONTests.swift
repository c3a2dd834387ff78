import SatchelSystem
import SatchelValues
import TestSupport
import Testing

@Suite struct JSONRoundTrips {
  @Test(arguments: awkwardValues.indices)
  func awkward(place: Int) throws {
    let (name, value) = awkwardValues[place]
    for pretty in [false, true] {
      let text = try JSON.format(value, pretty: pretty)
      let back = try JSON.parse(text)
      #expect(back == value, "\(name)")
      #expect(back.type == value.type, "\(name)")
      #expect(try JSON.format(back, pretty: pretty) == text, "\(name)")
    }
    #expect(try !JSON.format(value, pretty: false).utf8.contains(UInt8(ascii: "\n")))
  }

  @Test func random() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<3000 {
      let value = Value.random(using: &generator)
      #expect(try JSON.parse(JSON.format(value, pretty: Bool.random(using: &generator))) == value)
    }
  }

  static let forms: [(Value, String)] = [
    (3.0, "3.0"), (.double(-0.0), "-0.0"), (1e21, "1e+21"), (3, "3"), (Value(UInt64.max), "18446744073709551615"),
    (.int(.min), "-9223372036854775808"), (9_007_199_254_740_993, "9007199254740993"), (0.1, "0.1"),
    (.data([0, 255]), #"{"$data":"AP8="}"#), (.url("a:b"), #"{"$url":"a:b"}"#),
    (.uuid(UniqueID(high: 0, low: 255)), #"{"$uuid":"00000000-0000-0000-0000-0000000000ff"}"#),
    (.double(.nan), #"{"$double":"nan"}"#), (.double(.infinity), #"{"$double":"inf"}"#),
    (.double(-.infinity), #"{"$double":"-inf"}"#),
    (.date(Timestamp(seconds: 0)), #"{"$date":"1970-01-01T00:00:00Z"}"#),
    (.date(Timestamp(seconds: 253_402_300_800)), #"{"$date":{"seconds":253402300800,"nanoseconds":0}}"#),
    (["$data": "AA=="], #"{"$object":{"$data":"AA=="}}"#), (["$a": 1, "b": 2], #"{"$a":1,"b":2}"#),
    (["$object": ["$url": 1]], #"{"$object":{"$object":{"$object":{"$url":1}}}}"#),
    ("\u{7}\u{1b}\"\\/\n\u{7f}é", #""\u0007\u001b\"\\/\n\u007fé""#),
    ("\u{8}\u{c}\r\t\0\u{1f}", #""\b\f\r\t\u0000\u001f""#), (#"é is "e" with \ it"#, #""é is \"e\" with \\ it""#),
    ("plain from its first byte to its last", #""plain from its first byte to its last""#), ("", #""""#),
    (["b": 1, "a": [.null, true]], #"{"b":1,"a":[null,true]}"#),
    ([], "[]"), ([:], "{}"),
  ]

  @Test(arguments: forms.indices)
  func form(place: Int) throws {
    let (value, text) = Self.forms[place]
    #expect(try JSON.format(value, pretty: false) == text)
    #expect(try JSON.parse(text) == value)
  }

  @Test func pretty() throws {
    let value: Value = ["a": [1, []], "b": [:], "c": .data([1]), "d": ["$x": 1]]
    let text = """
      {
        "a": [
          1,
          []
        ],
        "b": {},
        "c": {"$data": "AQ=="},
        "d": {"$object": {
          "$x": 1
        }}
      }
      """
    #expect(try JSON.format(value, pretty: true) == text)
  }

  @Test func deeperThanTheLimitIsRefused() throws {
    let open = String(repeating: "[", count: 64)
    let close = String(repeating: "]", count: 64)
    let value = try JSON.parse(open + close)
    #expect(code { _ = try JSON.parse("[" + open + close + "]") } == .range)
    #expect(code { _ = try JSON.parse(String(repeating: "[", count: 100_000)) } == .range)
    #expect(code { _ = try JSON.parse(String(repeating: #"{"a":"#, count: 100_000)) } == .range)
    #expect(code { _ = try JSON.parse(String(repeating: #"{"$object":"#, count: 100_000)) } == .range)
    #expect(code { _ = try JSON.format([value], pretty: false) } == .range)
    let date = #"{"$date":{"seconds":-99999999999,"nanoseconds":1}}"#
    _ = try JSON.parse(open + date + close)
  }
}

@Suite struct JSONReading {
  static let accepted: [(String, Value)] = [
    (" \t\r\n1 \n", 1), ("\u{feff}1", 1), ("-0", 0), ("1e2", 100.0), ("1E+2", 100.0), ("1.5e-1", 0.15), ("0.0", 0.0),
    ("-9223372036854775808", .int(.min)), ("9223372036854775808", Value(UInt64(1) << 63)), ("1e-400", 0.0),
    (#""\u0041\/\b\f\n\r\t\u00e9""#, "A/\u{8}\u{c}\n\r\té"), (#""\ud83d\ude00\uD83D\uDE00""#, "😀😀"),
    (#""\u0000""#, "\0"),
    (#"{"a":{"b":[]}}"#, ["a": ["b": []]]),
    (#"{"$date":"2026-01-01T01:00:00+01:00"}"#, .date(Timestamp(seconds: 1_767_225_600))),
    (#"{"$object":{}}"#, [:]), (#"{"$object":{"a":1,"b":2}}"#, ["a": 1, "b": 2]),
    (#"{"$object":{"$data":"AA=="},"b":1}"#, ["$object": .data([0]), "b": 1]),
    (#"{"caf\u00e9":1,"cafe\u0301":2}"#, ["caf\u{e9}": 1, "cafe\u{301}": 2]),
    ("[ 1 , 2 ]", [1, 2]), ("{ \"a\" : 1 }", ["a": 1]), ("\"\u{2028}\u{7f}\"", "\u{2028}\u{7f}"),
    ("2.2250738585072011e-308", .double(Double(bitPattern: 0x000f_ffff_ffff_ffff))),
    ("9007199254740993.0", 9_007_199_254_740_992.0),
    ("179769313486231570000000000000000000000e270", .double(.greatestFiniteMagnitude)),
  ]

  @Test(arguments: accepted.indices)
  func accept(place: Int) throws {
    let (text, value) = Self.accepted[place]
    #expect(try JSON.parse(text) == value)
  }

  /// Text, line and column of the error, its code.
  static let refused: [(String, Int, Int, SatchelError.Code)] = [
    ("", 1, 1, .parse), ("  ", 1, 3, .parse), ("1 2", 1, 3, .parse), ("[1,]", 1, 4, .parse), ("[1 2]", 1, 4, .parse),
    ("[\n  1,\n  x\n]", 3, 3, .parse), ("{\"a\":1,}", 1, 8, .parse), ("{a:1}", 1, 2, .parse),
    ("{\"a\" 1}", 1, 6, .parse),
    ("{\"a\":1 \"b\":2}", 1, 8, .parse), ("[", 1, 2, .parse), ("{\"a\":", 1, 6, .parse), ("\"abc", 1, 1, .parse),
    ("\"a\nb\"", 1, 3, .parse), ("\"\\x\"", 1, 2, .parse), ("\"\\u12\"", 1, 2, .parse), ("\"\\", 1, 2, .parse),
    ("[\"é\", \"\\ud800\"]", 1, 8, .parse), ("\"\\ud800\\u0041\"", 1, 2, .parse), ("\"\\udc00\"", 1, 2, .parse),
    ("\"\\ud800x\"", 1, 2, .parse), ("\"\\udc00\\udc00\"", 1, 2, .parse), ("tru", 1, 1, .parse), ("True", 1, 1, .parse),
    ("nulll", 1, 5, .parse),
    ("NaN", 1, 1, .parse), ("-Infinity", 1, 2, .parse), ("01", 1, 1, .parse), ("-01", 1, 2, .parse),
    ("1.", 1, 3, .parse),
    (".5", 1, 1, .parse), ("+1", 1, 1, .parse), ("1e", 1, 3, .parse), ("-", 1, 2, .parse), ("0x10", 1, 2, .parse),
    ("'a'", 1, 1, .parse), ("// c\n1", 1, 1, .parse), ("[1]]", 1, 4, .parse), ("1\0", 1, 2, .parse),
    ("1e400", 1, 1, .range), ("[1,\n-1e400]", 2, 1, .range), ("18446744073709551616", 1, 1, .range),
    ("-9223372036854775809", 1, 1, .range), ("{\"a\":1,\n \"b\":2,\n \"a\":3}", 3, 2, .parse),
    ("{\"a\":1,\"\\u0061\":2}", 1, 8, .parse), ("{\"$nothing\":1}", 1, 2, .parse), ("{\"$\":1}", 1, 2, .parse),
    ("{\"$data\":\"A\"}", 1, 2, .parse), ("{\"$data\":1}", 1, 2, .parse), ("{\"$uuid\":\"x\"}", 1, 2, .parse),
    ("{\"$url\":\"\"}", 1, 2, .parse), ("{\"$double\":\"1\"}", 1, 2, .parse), ("{\"$object\":1}", 1, 2, .parse),
    ("{\"$object\":[]}", 1, 2, .parse), ("{\"$date\":\"yesterday\"}", 1, 2, .parse), ("{\"$date\":{}}", 1, 2, .parse),
    ("{\"$date\":{\"seconds\":1,\"nanoseconds\":1000000000}}", 1, 2, .parse),
    ("{\"$date\":{\"seconds\":1.0,\"nanoseconds\":0}}", 1, 2, .parse),
    ("{\"$date\":\"2016-12-31T23:59:60Z\"}", 1, 2, .range),
    ("{\"$data\":\"AA==\",\"$data\":\"AA==\"}", 1, 17, .parse),
  ]

  @Test(arguments: refused.indices)
  func refuse(place: Int) {
    let (text, line, column, code) = Self.refused[place]
    let error = failure { _ = try JSON.parse(text) }
    #expect(error?.code == code, "\(text)")
    #expect(error?.message.hasPrefix("line \(line), column \(column): ") == true, "\(text): \(error?.message ?? "")")
  }

  @Test func errorsNameKeyAndTag() {
    #expect(failure { _ = try JSON.parse(#"{"volume":1,"volume":2}"#) }?.message.contains("volume") == true)
    #expect(failure { _ = try JSON.parse(#"{"$nothing":1}"#) }?.message.contains("$nothing") == true)
  }

  @Test func badUTF8IsRefusedWhereItStands() {
    for bad: [UInt8] in [
      [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0x80], [0xf0, 0x9f],
    ] {
      let error = failure { _ = try JSON.parse(Array("[\n\"".utf8) + bad + Array("\"]".utf8)) }
      #expect(error?.code == .parse)
      #expect(error?.message.hasPrefix("line 2, column 2: ") == true)
    }
  }

  @Test func cutAndFlippedNeverCrash() throws {
    for (_, value) in awkwardValues {
      let original = Array(try JSON.format(value, pretty: true).utf8)
      guard original.count <= 300 else { continue }
      for place in original.indices {
        _ = try? JSON.parse(Array(original[..<place]))
        for flip: UInt8 in [1, 2, 4, 8, 16, 32, 64, 128] {
          var bytes = original
          bytes[place] ^= flip
          guard let read = try? JSON.parse(bytes) else { continue }
          #expect(try JSON.parse(JSON.format(read, pretty: false)) == read)
        }
      }
    }
  }
}
