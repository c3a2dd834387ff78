import SatchelSystem
import SatchelValues
import TestSupport
import Testing

/// Facts from RFC 8949 appendix A and from the registry of tags, and what stands in docs/values.md.
@Suite struct CBORVectors {
  static let vectors: [(Value, String)] = [
    (0, "00"), (1, "01"), (10, "0a"), (23, "17"), (24, "1818"), (25, "1819"), (100, "1864"), (1000, "1903e8"),
    (1_000_000, "1a000f4240"), (1_000_000_000_000, "1b000000e8d4a51000"),
    (Value(UInt64.max), "1bffffffffffffffff"), (-1, "20"), (-10, "29"), (-100, "3863"), (-1000, "3903e7"),
    (.int(.max), "1b7fffffffffffffff"), (.int(.min), "3b7fffffffffffffff"), (1.1, "fb3ff199999999999a"),
    (1.0e+300, "fb7e37e43c8800759c"), (-4.1, "fbc010666666666666"), (.double(.infinity), "fb7ff0000000000000"),
    (.double(.nan), "fb7ff8000000000000"), (.double(-.infinity), "fbfff0000000000000"), (false, "f4"), (true, "f5"),
    (.null, "f6"), (.data([]), "40"), (.data([1, 2, 3, 4]), "4401020304"), ("", "60"), ("a", "6161"),
    ("IETF", "6449455446"), ("\"\\", "62225c"), ("\u{fc}", "62c3bc"), ("\u{6c34}", "63e6b0b4"),
    ("\u{10151}", "64f0908591"), ([], "80"), ([1, 2, 3], "83010203"), ([1, [2, 3], [4, 5]], "8301820203820405"),
    (
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25],
      "98190102030405060708090a0b0c0d0e0f101112131415161718181819"
    ),
    ([:], "a0"), (["a": 1, "b": [2, 3]], "a26161016162820203"), (["a", ["b": "c"]], "826161a161626163"),
    (["a": "A", "b": "B", "c": "C", "d": "D", "e": "E"], "a56161614161626142616361436164614461656145"),
    (.url("http://www.example.com"), "d82076687474703a2f2f7777772e6578616d706c652e636f6d"),
    (0.0, "fb0000000000000000"), (.double(-0.0), "fb8000000000000000"), (1.0, "fb3ff0000000000000"),
    (.date(Timestamp(seconds: 1_363_896_240)), "d903e9a1011a514b67b0"),
    (.date(Timestamp(seconds: -1)), "d903e9a10120"),
    (
      .uuid(UniqueID(high: 0x0011_2233_4455_6677, low: 0x8899_aabb_ccdd_eeff)),
      "d82550 00112233445566778899aabbccddeeff"
    ),
    (["b": 1, "a": 2], "a2616201616102"),
  ]

  @Test(arguments: vectors.indices)
  func vector(place: Int) throws {
    let (value, hex) = Self.vectors[place]
    #expect(try CBOR.encode(value) == bytes(hex))
    #expect(try CBOR.decode(bytes(hex)) == value)
  }

  @Test func nanoseconds() throws {
    let time = Value.date(try Timestamp(seconds: 1, nanoseconds: 500_000_000))
    #expect(try CBOR.encode(time) == bytes("d903e9 a2 01 01 28 1a1dcd6500"))
  }

  /// Right CBOR, or near it, that is not the one form; the byte is where the error says it is.
  static let refused: [(String, Int, String)] = [
    ("", 0, "nothing"), ("1817", 0, "long head of 23"), ("190001", 0, "long head"), ("1a0000ffff", 0, "long head"),
    ("1b00000000ffffffff", 0, "long head"), ("3800", 0, "long head of -1"), ("3b8000000000000000", 0, "below -2^63"),
    ("18", 0, "cut head"), ("1c", 0, "reserved"), ("5f4100ff", 0, "indefinite data"),
    ("7f6161ff", 0, "indefinite text"),
    ("9fff", 0, "indefinite array"), ("bfff", 0, "indefinite map"), ("ff", 0, "break"), ("f7", 0, "undefined"),
    ("f0", 0, "simple"), ("f8ff", 0, "simple"), ("f93c00", 0, "half float"), ("fa47c35000", 0, "single float"),
    ("fb7ff8000000000001", 0, "NaN with payload"), ("fbfff8000000000000", 0, "negative NaN"), ("fb00", 0, "cut double"),
    ("c11a514b67b0", 0, "epoch time"), ("c0743230", 0, "text time"), ("d81f61", 0, "foreign tag"),
    ("0000", 1, "two items"), ("6161 61", 2, "bytes behind"), ("41", 0, "data beyond the end"),
    ("5bffffffffffffffff", 0, "huge data"), ("9bffffffffffffffff", 0, "huge array"),
    ("bbffffffffffffffff", 0, "huge map"), ("8201", 0, "array beyond the end"), ("820119", 2, "cut item"),
    ("a1016161", 1, "key that is a number"), ("a26161016161 02", 4, "key twice"), ("61ff", 0, "not UTF-8"),
    ("63eda080", 0, "surrogate"), ("62c080", 0, "overlong"), ("a161ff01", 1, "key that is not UTF-8"),
    ("d8206161 00", 4, "behind a URL"), ("d82060", 0, "empty URL"), ("d8204161", 0, "URL of data"),
    ("d820 6120", 0, "URL of a space"), ("d8254161", 0, "short UUID"), ("d82560", 0, "UUID of text"),
    ("d903e9a0", 0, "date of nothing"), ("d903e9a1011817", 0, "date with a long head"),
    ("d903e9a201012800", 0, "nanoseconds of 0"), ("d903e9a20101281a3b9aca00", 0, "a whole second of nanoseconds"),
    ("d903e9a228010101", 0, "date in another order"), ("d903e9a101fb3ff0000000000000", 0, "date of a double"),
    ("d903e9a1013b8000000000000000", 0, "date below -2^63"), ("d903e901", 0, "date without map"),
  ]

  @Test(arguments: refused.indices)
  func refusal(place: Int) {
    let (hex, byte, name) = Self.refused[place]
    let error = failure { _ = try CBOR.decode(bytes(hex)) }
    #expect(error?.code == .parse, "\(name)")
    #expect(error?.message.hasPrefix("byte \(byte): ") == true, "\(name): \(error?.message ?? "")")
  }
}
