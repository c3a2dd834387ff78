import Satchel

/// Values that real programs lost, bent or crashed on. Every codec, layer and binding has to hold each of them exactly.
///
/// Names are unique and may serve as keys.
public let awkwardValues: [(name: String, value: Value)] =
  awkwardBools + awkwardIntegers + awkwardDoubles + awkwardStrings + awkwardData + awkwardDates + awkwardLinks
  + awkwardArrays + awkwardDictionaries

private typealias Named = [(name: String, value: Value)]

private let awkwardBools: Named = [("true", .bool(true)), ("false", .bool(false))]

private let awkwardIntegers: Named =
  [
    0, 1, -1, 23, 24, -24, -25, 255, 256, -256, -257, 65_535, 65_536, -65_536, -65_537, 4_294_967_295, 4_294_967_296,
    -4_294_967_296, -4_294_967_297, Int64(Int32.min), Int64(Int32.max), Int64(Int32.max) + 1, 9_007_199_254_740_991,
    9_007_199_254_740_992, 9_007_199_254_740_993, -9_007_199_254_740_993, Int64.max, Int64.max - 1, Int64.min,
    Int64.min + 1,
  ].map { ("int \($0)", .int($0)) }
  + [UInt64(1) << 63, UInt64(1) << 63 + 1, UInt64.max, UInt64.max - 1].map { ("uint \($0)", Value($0)) }

private let awkwardDoubles: Named = [
  ("zero", .double(0)), ("negative zero", .double(-0.0)), ("one as double", .double(1)), ("tenth", .double(0.1)),
  ("sum that is not 0.3", .double(0.1 + 0.2)), ("third", .double(1.0 / 3)), ("pi", .double(.pi)),
  ("NaN", .double(.nan)), ("NaN with payload", .double(Double(bitPattern: 0xfff8_0000_dead_beef))),
  ("signalling NaN", .double(.signalingNaN)), ("infinity", .double(.infinity)),
  ("negative infinity", .double(-.infinity)), ("largest", .double(.greatestFiniteMagnitude)),
  ("smallest normal", .double(.leastNormalMagnitude)), ("smallest denormal", .double(.leastNonzeroMagnitude)),
  ("negative denormal", .double(-.leastNonzeroMagnitude)), ("1e21", .double(1e21)), ("1e-7", .double(1e-7)),
  ("2^53 as double", .double(9_007_199_254_740_992)), ("2^63 as double", .double(9_223_372_036_854_775_808)),
  ("2^64 as double", .double(18_446_744_073_709_551_616)), ("just below one", .double(1.0.nextDown)),
  ("slow to parse", .double(Double(bitPattern: 0x000f_ffff_ffff_ffff))),
  ("half-way case", .double(9_007_199_254_740_993.0)),
  ("a Float widened", .double(Double(Float(0.1)))),
]

private let awkwardStrings: Named =
  [
    ("empty string", ""), ("space", " "), ("spaces around", "  a  "), ("newline", "\n"), ("ends in newline", "a\n"),
    ("CRLF", "a\r\nb"), ("tab", "\t"), ("NUL inside", "a\0b"), ("only NUL", "\0"), ("escape sequence", "\u{1b}[31mred"),
    ("all control characters", .string(String(String.UnicodeScalarView((1..<32).compactMap { Unicode.Scalar($0) })))),
    ("delete", "\u{7f}"), ("C1 control", "\u{85}"), ("NFC", "caf\u{e9}"), ("NFD", "cafe\u{301}"),
    ("Hangul NFC", "\u{ac00}"), ("Hangul NFD", "\u{1100}\u{1161}"), ("Kelvin sign", "\u{212a}"), ("emoji", "😀"),
    ("family", "👩‍👩‍👧‍👦"), ("flag", "🇦🇹"), ("skin tone", "👍🏽"), ("right to left", "שלום \u{202e}abc"),
    ("byte order mark", "\u{feff}text"), ("replacement character", "\u{fffd}"), ("noncharacter", "\u{ffff}"),
    ("last scalar", "\u{10ffff}"), ("line separator", "a\u{2028}b\u{2029}c"), ("lone combining mark", "\u{301}"),
    ("zero width", "a\u{200b}b\u{200d}c"), ("Turkish i", "İıIi"), ("looks like 1", "1"), ("looks like octal", "0123"),
    ("looks like hexadecimal", "0x10"), ("looks like double", "1e5"), ("looks like -0", "-0"),
    ("looks like nan", "nan"),
    ("looks like .inf", ".inf"), ("looks like true", "true"), ("looks like yes", "yes"), ("Norway", "NO"),
    ("looks like null", "null"), ("looks like ~", "~"), ("looks like a date", "2026-01-01"),
    ("looks like a leap second", "2016-12-31T23:59:60Z"), ("looks like base 60", "12:30:45"),
    ("looks like JSON", #"{"a": [1, 2]}"#), ("looks like a tag", #"{"$data": "AA=="}"#),
    ("looks like a version", "1.10"),
    ("looks like a URL", "https://example.org/"), ("looks like a UUID", "00000000-0000-0000-0000-000000000000"),
    ("quotes", #"'"`"#), ("backslashes", #"\\n\u0041\"#), ("shell", "$HOME `id` $(id) ; rm -rf / && * ? ~"),
    ("percent", "%s%n%d %00"), ("dotenv", "a=b # not a comment"), ("hash first", "#a"), ("equals", "="),
    ("XML", "<a href=\"x\">&amp;]]></a>"), ("path", "/usr/../etc/./passwd"), ("option", "--help"), ("dash", "-"),
    ("64 KiB", .string(String(repeating: "0123456789abcdef", count: 4096))),
    ("1,000 combining marks", .string("a" + String(repeating: "\u{301}", count: 1000))),
  ] + [23, 24, 255, 256, 65_535].map { ("\($0) bytes of text", .string(String(repeating: "x", count: $0))) }

private let awkwardData: Named = [
  ("empty data", .data([])), ("data of one NUL", .data([0])), ("data of two bytes", .data([0xff, 0xfe])),
  ("data of three bytes", .data([1, 2, 3])), ("data of all bytes", .data(Array(0...255))),
  ("data that is text", .data(Array("text".utf8))), ("data that is CBOR", .data([0xa1, 0x61, 0x61, 0x01])),
  ("64 KiB of data", .data([UInt8](repeating: 0xaa, count: 65_536))),
]

private let awkwardDates: Named = [
  ("epoch", time(0)), ("before the epoch", time(-1)), ("half a second before", time(-1, 500_000_000)),
  ("one nanosecond", time(0, 1)), ("last nanosecond", time(1_767_225_599, 999_999_999)),
  ("tenth of a second", time(1_767_225_600, 100_000_000)), ("millisecond", time(1_767_225_600, 1_000_000)),
  ("2038", time(2_147_483_648)), ("1901", time(-2_147_483_649)), ("2106", time(4_294_967_296)),
  ("leap day", time(951_782_400)), ("no leap day in 1900", time(-2_203_891_200)),
  ("before a leap second", time(1_483_228_799, 999_999_999)), ("year 1", time(-62_135_596_800)),
  ("end of year 9999", time(253_402_300_799, 999_999_999)), ("before year 1", time(-62_135_596_801)),
  ("year 10000", time(253_402_300_800)), ("first time there is", time(.min)),
  ("last time there is", time(.max, 999_999_999)), ("year 1600", time(-11_676_096_000)),
]

private let awkwardLinks: Named = [
  ("URL", .url("https://example.org/")),
  ("URL with everything", .url("https://u:p@example.org:8080/a;b/c?d=e&f=%20#g")),
  ("IRI", .url("https://bücher.example/ü?q=日本")), ("relative URL", .url("../images/a.png")),
  ("file URL", .url("file:///home/a%20b")), ("mailto", .url("mailto:a@example.org")), ("data URL", .url("data:,x")),
  ("nil UUID", .uuid(UniqueID(high: 0, low: 0))), ("max UUID", .uuid(UniqueID(high: .max, low: .max))),
  ("UUID", .uuid(UniqueID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210))),
]

private let awkwardArrays: Named = [
  ("empty array", []), ("array of null", [.null]), ("array of arrays", [[], [[]], [[], []]]),
  ("array of empty dictionary", [[:]]), ("array of every type", .array(everyType)), ("1 and 1.0", [1, 1.0]),
  ("nulls between", [.null, 1, .null, "", .null]), ("array of NaN and zeros", [.double(.nan), .double(-0.0), 0.0]),
  ("array of 24", .array((0..<24).map { .int($0) })), ("array of 300", .array((0..<300).map { .int($0) })),
  ("60 arrays deep", nested(60) { [$0] }), ("64 arrays deep", nested(64) { [$0] }),
]

private let awkwardDictionaries: Named = [
  ("empty dictionary", [:]), ("dictionary of null", ["a": .null]), ("empty key", ["": ""]),
  ("order", ["z": 1, "a": 2, "m": 3]), ("order as sorted", ["a": 2, "m": 3, "z": 1]),
  ("NFC and NFD keys", ["caf\u{e9}": 1, "cafe\u{301}": 2]), ("keys of case", ["a": 1, "A": 2]),
  ("keys with dots and slashes", ["a.b": 1, "a/b": 2, "a": ["b": 3], ".": 4, "..": 5, "/": 6]),
  ("keys with quotes", ["\"": 1, "'": 2, "\\": 3, "`": 4]), ("keys with controls", ["\n": 1, "\0": 2, "\u{7f}": 3]),
  ("keys with spaces", [" ": 1, "  ": 2, "a b": 3, "a=b": 4, "#": 5]),
  ("keys of numbers", ["1": 1, "01": 2, "1.0": 3]),
  ("keys of words", ["true": 1, "null": 2, "__proto__": 3, "constructor": 4]),
  ("$data that is real", ["$data": "AA=="]),
  ("$object that is real", ["$object": ["a": 1]]), ("$object in $object", ["$object": ["$object": ["$date": 1]]]),
  ("$ alone", ["$": 1]), ("unknown $", ["$nothing": .null]), ("two $ keys", ["$data": "AA==", "$url": "x"]),
  ("$ deeper", ["a": [["$uuid": "x"]]]), ("$ and data below", ["$object": .data([1, 2])]),
  ("dictionary of every type", .dictionary(dictionary(everyType))),
  ("1,000 keys", .dictionary(dictionary((0..<1000).map { .int($0 * 7919 % 1000) }))),
  ("60 dictionaries deep", nested(60) { ["k": $0] }), ("64 $ dictionaries deep", nested(64) { ["$object": $0] }),
]

private let everyType: [Value] = [
  .null, true, -1, Value(UInt64.max), 1.5, "text", .data([0, 255]), time(1, 2), .url("a:b"),
  .uuid(UniqueID(high: 1, low: 2)), [1], ["a": 1],
]

private func time(_ seconds: Int64, _ nanoseconds: UInt32 = 0) -> Value {
  guard let time = try? Timestamp(seconds: seconds, nanoseconds: nanoseconds) else { return .null }
  return .date(time)
}

/// That many containers around each other; the innermost is empty.
private func nested(_ depth: Int, _ wrap: (Value) -> Value) -> Value {
  (1..<depth).reduce(wrap(1)) { value, _ in wrap(value) }
}

private func dictionary(_ values: [Value]) -> ValueDictionary {
  var result = ValueDictionary()
  for (place, value) in values.enumerated() { result.append(value, forKey: "key \(place)") }
  return result
}
