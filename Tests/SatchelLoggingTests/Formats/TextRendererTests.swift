import TestSupport
import Testing

@testable import SatchelLogging

/// 2026-12-01T00:53:10.123456789Z
let instant: Int64 = 1_796_086_390_123_456_789

@Suite struct TextRendererTests {
  func text(_ record: RecordBuilder, mark: LineMark = .normal, offset: Int = 0, time: Int64 = instant) throws -> String
  {
    var renderer = TextRenderer()
    let bytes = try record.rendered {
      renderer.render($0, time: time, offset: offset, mark: mark, category: $1, into: $2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func aLineHasEverything() throws {
    var record = RecordBuilder(line: 12)
    record.category = "net"
    record.place("Player/player.swift", function: "play(_:)")
    record.literal("track ")
    record.value("Für \"Elise\"\n")
    record.literal(" started, ")
    record.value(.int(-3))
    record.field("seconds", .double(2.5))
    record.field("title", .text(Array("two words".utf8)))
    #expect(
      try text(record)
        == "2026-12-01T00:53:10.123456+00:00 notice [812/815 main] net player.swift:12 play(_:): "
        + "track Für \"Elise\"\\n started, -3\tseconds=2.5 title=\"two words\"\n")
  }

  @Test func aLineHasNothing() throws {
    #expect(try text(RecordBuilder(thread: [])) == "2026-12-01T00:53:10.123456+00:00 notice [812/815 -]: \n")
  }

  @Test func marksStandBehindTheTime() throws {
    let column = 32
    for (mark, symbol) in zip(LineMark.allCases, " ~=!") {
      #expect(Array(try text(RecordBuilder(), mark: mark))[column] == symbol)
    }
  }

  @Test func offsetsAreThoseOfTheInstant() throws {
    #expect(try text(RecordBuilder(), offset: 20_700).hasPrefix("2026-12-01T06:38:10.123456+05:45 "))
    #expect(try text(RecordBuilder(), offset: -34_200).hasPrefix("2026-11-30T15:23:10.123456-09:30 "))
    #expect(try text(RecordBuilder(), time: -1).hasPrefix("1969-12-31T23:59:59.999999+00:00 "))
  }

  @Test func oneRendererTellsSecondsOffsetsAndThreadsApart() throws {
    var renderer = TextRenderer()
    var seen: Set<String> = []
    for _ in 0..<2 {
      for time in [instant, instant + 1_000_000_000, instant - 2000, instant + 1000] {
        for offset in [0, 3600] {
          for tid in [1, 2, 65 + 0x1000_0000] as [UInt32] {
            for name in ["a", "b"] {
              let record = RecordBuilder(tid: tid, thread: Array(name.utf8))
              let bytes = try record.rendered {
                renderer.render($0, time: time, offset: offset, mark: .normal, category: $1, into: $2)
              }
              let line = String(decoding: bytes, as: UTF8.self)
              #expect(line == (try text(record, offset: offset, time: time)))
              seen.insert(line)
            }
          }
        }
      }
    }
    #expect(seen.count == 4 * 2 * 3 * 2)
  }

  @Test func kindsHaveWords() throws {
    #expect(try text(RecordBuilder(.error, kind: .loss, number: 12)).contains("+00:00 error loss#12 [812/815 main]: "))
    #expect(try text(RecordBuilder(.fatal, kind: .assertion)).contains("+00:00 fatal assertion [812/815 main]: "))
    #expect(try text(RecordBuilder(.notice, kind: .clockStep)).contains("+00:00 notice clock-step [812/815 main]: "))
    #expect(
      try text(RecordBuilder(.alert, kind: .lifecycle)).contains("+00:00 alert/critical lifecycle [812/815 main]: "))
  }

  @Test func onlyTheProgramBreaksLines() throws {
    var record = RecordBuilder()
    record.literal("first\n\n  second ")
    record.value("a\nb\r\n2026-12-01T00:53:10.123456+00:00 fatal [1/1 x]: forged\tk=v")
    #expect(
      try text(record).hasSuffix(
        "]: first\n    \n      second a\\nb\\r\\n2026-12-01T00:53:10.123456+00:00 fatal [1/1 x]: forged\\tk=v\n"))
  }

  @Test func controlsAreShown() throws {
    var record = RecordBuilder()
    record.literal("\u{1b}[31m")
    record.value("\0\u{7f}\u{85}\u{9b}\u{2028}\u{202e}\u{200f}\u{61c}\u{feff}\u{e0041}")
    record.text(.text, [0xff, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xe2, 0x82])
    #expect(
      try text(record).hasSuffix(
        "]: \\x1b[31m\\x00\\x7f\\u{85}\\u{9b}\\u{2028}\\u{202e}\\u{200f}\\u{61c}\\u{feff}\\u{e0041}"
          + "\\xff\\xc0\\xaf\\xed\\xa0\\x80\\xe2\\x82\n"))
  }

  @Test func whatIsWrittenWithJoinersStays() throws {
    var record = RecordBuilder()
    record.value("👩‍👩‍👧 می‌خواهم")
    #expect(try text(record).hasSuffix("]: 👩‍👩‍👧 می‌خواهم\n"))
  }

  @Test func backslashesAreDoubledWhereTheyCouldBeEscapes() throws {
    var record = RecordBuilder()
    record.value(#"C:\Windows\new \"#)
    record.literal(#"\d+\x"#)
    #expect(try text(record).hasSuffix(#"]: C:\Windows\\new \\\d+\\x"# + "\n"))
  }

  @Test func valuesTellTheirTypes() throws {
    var record = RecordBuilder()
    let values: [LogEntry.Value] = [
      .int(.min), .uint(.max), .double(1), .double(-0.0), .double(1e300), .double(.nan), .double(-.infinity),
      .bool(true),
      .null, .pointer(0x7fff_0010), .bytes([0, 255]), .bytes([]), .secret(0x3f2a_9c01), .time(instant), .text([]),
      .text(Array("12".utf8)), .text(Array("nil".utf8)), .text(Array("/a?b".utf8)), .text(Array("a=b".utf8)),
      .text(Array("<00>".utf8)), .text(Array("say \"so\"".utf8)),
    ]
    for value in values { record.field("v", value) }
    #expect(
      try text(record).split(separator: "\t")[1]
        == #"v=-9223372036854775808 v=18446744073709551615 v=1.0 v=-0.0 v=1e+300 v=nan v=-inf v=true "#
        + #"v=nil v=0x7fff0010 v=<00ff> v=<> v=<secret 3f2a9c01> v=2026-12-01T00:53:10.123456789Z v="" "#
        + #"v="12" v="nil" v=/a?b v="a=b" v="<00>" v="say \"so\"""# + "\n")
  }

  @Test func aFieldWithoutValueIsNil() throws {
    var record = RecordBuilder()
    record.text(.field, "a".utf8)
    record.text(.field, "b c".utf8)
    record.text(.file, "f".utf8)
    #expect(try text(record).hasSuffix("] f:0: \ta=nil \"b c\"=nil\n"))
  }
}

@Suite struct NumberTests {
  private func text(_ write: (inout LineWriter) -> Void) -> String {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
    defer { memory.deallocate() }
    var writer = LineWriter(at: memory)
    write(&writer)
    return String(decoding: UnsafeRawBufferPointer(start: memory, count: writer.at - memory), as: UTF8.self)
  }

  @Test func doublesAreThoseOfTheStandardLibrary() {
    var random = SeededGenerator(seed: 8)
    var numbers: [Double] = [
      0, -0.0, 1e-4, 9.999e-5, 999_999_999, 1e9, 0.1 + 0.2, 1 / 3, .pi, .leastNonzeroMagnitude, 1e16, 0.000_001,
    ]
    for _ in 0..<20_000 {
      let digits = Double(Int64.random(in: -1_000_000_000...1_000_000_000, using: &random))
      let scale: Double = [1, 10, 100, 1000, 10_000, 1e5, 1e6, 1e7, 1e8].randomElement(using: &random) ?? 1
      numbers.append(digits / scale)
      numbers.append(Double(bitPattern: random.next()))
      numbers.append((numbers[numbers.count - 2]).nextUp)
    }
    #expect(numbers.allSatisfy { number in number.isNaN || text { $0.double(number) } == "\(number)" })
  }

  @Test func integersAreThoseOfTheStandardLibrary() {
    for shift in 0..<64 {
      for number in [UInt64(1) << shift, UInt64(1) << shift - 1, UInt64.max >> shift] {
        #expect(text { $0.decimal(number) } == "\(number)")
        #expect(text { $0.decimal(Int64(bitPattern: number)) } == "\(Int64(bitPattern: number))")
        #expect(text { $0.hex(number) } == String(number, radix: 16))
      }
    }
    var power: UInt64 = 1
    for _ in 0..<19 {
      power *= 10
      for number in [power - 1, power, power + 1] { #expect(text { $0.decimal(number) } == "\(number)") }
    }
  }
}
