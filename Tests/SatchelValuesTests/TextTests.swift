import SatchelSystem
import SatchelValues
import TestSupport
import Testing

@Suite struct TextReading {
  static let accepted: [(String, ValueType, Value)] = [
    ("0123", .int, 123), ("-007", .int, -7), ("+5", .int, 5), ("0x10", .int, 16), ("-0XfF", .int, -255),
    ("-0", .int, 0),
    ("9223372036854775807", .int, .int(.max)), ("-9223372036854775808", .int, .int(.min)),
    ("-0x8000000000000000", .int, .int(.min)), ("08", .int, 8), ("5", .uint, 5), ("-0", .uint, 0),
    ("18446744073709551615", .uint, Value(UInt64.max)), ("0xffffffffffffffff", .uint, Value(UInt64.max)),
    ("true", .bool, true), ("YES", .bool, true), ("On", .bool, true), ("1", .bool, true), ("false", .bool, false),
    ("no", .bool, false), ("OFF", .bool, false), ("0", .bool, false), ("3", .double, 3.0), ("3.", .double, 3.0),
    (".5", .double, 0.5), ("-1e3", .double, -1000.0), ("+1E-2", .double, 0.01), ("-0", .double, .double(-0.0)),
    ("nan", .double, .double(.nan)), ("-NaN", .double, .double(.nan)), ("inf", .double, .double(.infinity)),
    ("-Infinity", .double, .double(-.infinity)), ("0123", .double, 123.0), ("", .string, ""), (" a ", .string, " a "),
    ("null", .string, "null"), ("", .data, .data([])), ("AA==", .data, .data([0])), ("AAE=", .data, .data([0, 1])),
    ("1970-01-01T00:00:00Z", .date, .date(Timestamp(seconds: 0))), ("a:b", .url, .url("a:b")),
    ("00000000-0000-0000-0000-0000000000FF", .uuid, .uuid(UniqueID(high: 0, low: 255))),
    ("[1, 2.0]", .array, [1, 2.0]),
    (#"{"a": null}"#, .dictionary, ["a": .null]), ("null", .null, .null),
  ]

  @Test(arguments: accepted.indices)
  func accept(place: Int) throws {
    let (text, type, value) = Self.accepted[place]
    #expect(try Value(text: text, as: type) == value)
  }

  static let refused: [(ValueType, SatchelError.Code, [String])] = [
    (
      .int, .type,
      ["", " 1", "1 ", "1.0", "1e3", "0x", "x", "-", "+", "--1", "1_000", "0b1", "0o7", "true", "١", "1,000"]
    ),
    (.int, .range, ["9223372036854775808", "-9223372036854775809", "0xffffffffffffffff", "99999999999999999999999"]),
    (.uint, .type, ["", " 1", "1.0", "-", "0xg"]),
    (.uint, .range, ["-1", "18446744073709551616", "0x10000000000000000"]),
    (.bool, .type, ["", "2", "y", "t", " true", "true\n", "null"]),
    (
      .double, .type,
      ["", ".", "e5", "1e", "1e+", "0x1p3", " 1", "1 ", "1,5", "--1", "1.2.3", "infin", "nan(1)", "+-1"]
    ),
    (.double, .range, ["1e400", "-1e400"]),
    (.data, .type, ["A", "AA", "AA=", "AB==", "AAF=", "A===", "====", "AA==AA==", "AA ==", "AA==\n", "A_-=", "=AAA"]),
    (
      .date, .type,
      [
        "", "2026-01-01", "2026-1-1T0:0:0Z", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "now",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00ZZ", " 2026-01-01T00:00:00Z", "1900-02-29T00:00:00Z",
      ]
    ),
    (
      .date, .range,
      [
        "2016-12-31T23:59:60Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01", "2026-01-01T00:00:00.0000000001Z",
      ]
    ),
    (.url, .type, ["", "hello", "a b:c", ":x", "1a:b", "http:", "a:\n"]),
    (
      .uuid, .type,
      [
        "", "0", "{00000000-0000-0000-0000-000000000000}", "00000000000000000000000000000000",
        "00000000-0000-0000-0000-00000000000g", "0000000-00000-0000-0000-000000000000",
      ]
    ),
    (.array, .type, ["", "{}", "1", "[1", "[1,]"]), (.dictionary, .type, ["", "[]", "{a:1}", #"{"$data":"AA=="}"#]),
    (.array, .range, ["[1e400]"]), (.null, .type, ["", "NULL", "nil"]),
  ]

  @Test(arguments: refused.indices)
  func refuse(place: Int) {
    let (type, code, texts) = Self.refused[place]
    for text in texts {
      let error = failure { _ = try Value(text: text, as: type) }
      #expect(error?.code == code, "\(text) as \(type.name): \(error?.message ?? "accepted")")
      // The text is named, in quotes and without the line breaks it may have.
      #expect(error?.message.contains("\"") == true && error?.message.contains("\n") == false)
    }
  }

  @Test(arguments: awkwardValues.indices)
  func textReadsBack(place: Int) throws {
    let (name, value) = awkwardValues[place]
    if case .date(let time) = value, (try? time.rfc3339()) == nil {
      #expect(code { _ = try value.text } == .range)
      return
    }
    if case .url(let text) = value, !Value.isAbsoluteURL(text) { return }
    #expect(try Value(text: value.text, as: value.type) == value, "\(name)")
  }

  @Test func forms() throws {
    #expect(try Value.double(3).text == "3.0")
    #expect(try Value.string("a\nb").text == "a\nb")
    #expect(try Value.data([255]).text == "/w==")
    #expect(try (["a": [1, 2.5]] as Value).text == #"{"a":[1,2.5]}"#)
    #expect(try Value.double(-.infinity).text == "-inf")
  }

  @Test func typeNames() {
    for type in ValueType.allCases { #expect(ValueType(name: type.name) == type) }
    #expect(ValueType(name: "Int") == nil && ValueType(name: "") == nil && ValueType(name: "json") == nil)
  }
}

@Suite struct Timestamps {
  static let forms: [(Int64, UInt32, String)] = [
    (0, 0, "1970-01-01T00:00:00Z"), (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
    (-1, 500_000_000, "1969-12-31T23:59:59.5Z"), (1_767_225_600, 1, "2026-01-01T00:00:00.000000001Z"),
    (951_782_400, 0, "2000-02-29T00:00:00Z"), (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
    (253_402_300_799, 120_000_000, "9999-12-31T23:59:59.12Z"), (-2_203_891_200, 0, "1900-03-01T00:00:00Z"),
    (-11_676_096_000, 0, "1600-01-01T00:00:00Z"), (482_196_050, 520_000_000, "1985-04-12T23:20:50.52Z"),
  ]

  @Test(arguments: forms.indices)
  func form(place: Int) throws {
    let (seconds, nanoseconds, text) = Self.forms[place]
    let time = try Timestamp(seconds: seconds, nanoseconds: nanoseconds)
    #expect(try time.rfc3339() == text)
    #expect(try Timestamp(rfc3339: text) == time)
  }

  @Test func offsetsAndSpellings() throws {
    let time = Timestamp(seconds: 851_042_397)
    for text in [
      "1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57z", "1996-12-20 00:39:57Z", "1996-12-20t01:39:57+01:00",
      "1996-12-20T00:39:57.000000000000Z", "1996-12-20T00:39:57-00:00",
    ] {
      #expect(try Timestamp(rfc3339: text) == time)
    }
  }

  @Test func everyDayOfFourCenturiesReadsBack() throws {
    var previous = ""
    for day: Int64 in -72_000...74_100 {
      let time = Timestamp(seconds: day * 86_400 + 43_200)
      let text = try time.rfc3339()
      let back = try Timestamp(rfc3339: text)
      #expect(text > previous && back == time)
      previous = text
    }
  }

  @Test func orderAndLimits() throws {
    #expect(try Timestamp(seconds: -1, nanoseconds: 5) < Timestamp(seconds: 0))
    #expect(try Timestamp(seconds: 1, nanoseconds: 5) < Timestamp(seconds: 1, nanoseconds: 6))
    #expect(code { _ = try Timestamp(seconds: 0, nanoseconds: 1_000_000_000) } == .invalid)
    #expect(code { _ = try Timestamp(seconds: .min).rfc3339() } == .range)
    #expect(code { _ = try Timestamp(seconds: .max).rfc3339() } == .range)
    #expect(Timestamp.now > Timestamp(seconds: 1_700_000_000))
  }
}
