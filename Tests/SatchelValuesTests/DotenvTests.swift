import SatchelSystem
import SatchelValues
import TestSupport
import Testing

@Suite struct DotenvFiles {
  static let accepted: [(String, [[String]])] = [
    ("", []), ("\n\n# comment\n  # another\n", []), ("A=1", [["A", "1"]]), ("A=1\nB=2\n", [["A", "1"], ["B", "2"]]),
    ("export A=1", [["A", "1"]]), ("export=1", [["export", "1"]]), ("exported=1", [["exported", "1"]]),
    ("  A = b c  # note\n", [["A", "b c"]]), ("A=b#c", [["A", "b#c"]]), ("A=#c", [["A", "#c"]]),
    ("A= #c", [["A", ""]]),
    ("A=", [["A", ""]]), ("A=\"\"", [["A", ""]]), ("A=''", [["A", ""]]), ("A=it's", [["A", "it's"]]),
    ("A=$HOME", [["A", "$HOME"]]), ("A=a\\nb", [["A", "a\\nb"]]), ("A='a\\n$b' # c", [["A", "a\\n$b"]]),
    ("A=\"a\\nb\\t\\\"\\\\\\$\\q\"", [["A", "a\nb\t\"\\$\\q"]]),
    ("A='one\ntwo'\nB=3", [["A", "one\ntwo"], ["B", "3"]]),
    ("A=\"one\ntwo\"\nB=3", [["A", "one\ntwo"], ["B", "3"]]), ("A='it'\\''s'", [["A", "it's"]]),
    ("A=1\r\nB='2'\r\nC=\r\n", [["A", "1"], ["B", "2"], ["C", ""]]), ("\u{feff}A=1", [["A", "1"]]),
    ("A=1\nA=2", [["A", "1"], ["A", "2"]]), ("A.b-c_9=x", [["A.b-c_9", "x"]]), ("A=a=b", [["A", "a=b"]]),
    ("A=\"a\\\nb\"", [["A", "ab"]]), ("A=ü😀", [["A", "ü😀"]]), ("A=\tb\t", [["A", "b"]]),
  ]

  @Test(arguments: accepted.indices)
  func accept(place: Int) throws {
    let (text, pairs) = Self.accepted[place]
    #expect(try Dotenv.parse(text).map { [$0.key, $0.value] } == pairs)
  }

  static let refused: [(String, Int)] = [
    ("A", 1), ("A=1\n=2", 2), ("1A=1", 1), ("A B=1", 1), ("\nexport\n", 2), ("A='x", 1), ("B=1\nA=\"x\ny\n", 2),
    ("B=1\nA='x\ny\n", 2),
    ("A='x'y", 1), ("A=\"x\" y", 1), ("A=1\nB='\n\n'x", 4), ("é=1", 1), ("A=1\n\nB=\0", 3), ("export export A=1", 1),
    ("A='x'\\", 1), ("A=\"x\\", 1), ("-A=1", 1),
  ]

  @Test(arguments: refused.indices)
  func refuse(place: Int) {
    let (text, line) = Self.refused[place]
    let error = failure { _ = try Dotenv.parse(text) }
    #expect(error?.code == .parse, "\(text)")
    #expect(error?.message.hasPrefix("line \(line): ") == true, "\(text): \(error?.message ?? "")")
  }

  @Test func awkwardStringsReadBack() throws {
    for (name, value) in awkwardValues {
      guard case .string(let text) = value else { continue }
      if text.utf8.contains(0) {
        let error = failure { _ = try Dotenv.format([("KEY", text)]) }
        #expect(error?.code == .type && error?.key == "KEY")
        continue
      }
      let file = try Dotenv.format([("BEFORE", "1"), ("KEY", text), ("AFTER", "2")])
      let back = try Dotenv.parse(file)
      #expect(back.map(\.key) == ["BEFORE", "KEY", "AFTER"], "\(name)")
      #expect(back[1].value.utf8.elementsEqual(text.utf8), "\(name)")
    }
  }

  @Test func forms() throws {
    #expect(
      try Dotenv.format([("A", "b"), ("C", ""), ("D", "e f"), ("G", "it's $5")])
        == "A=b\nC=''\nD='e f'\nG=\"it's \\$5\"\n")
  }

  @Test(arguments: ["", "1A", "a b", "é", "a=b", "a\n", "-a", ".a", "a/b"])
  func badKeysAreNamed(key: String) {
    let error = failure { _ = try Dotenv.format([(key, "x")]) }
    #expect(error?.code == .type && error?.key == key)
  }

  @Test func osRelease() throws {
    let text = """
      PRETTY_NAME="Debian GNU/Linux 13 (trixie)"
      NAME="Debian GNU/Linux"
      VERSION_ID="13"
      VERSION="13 (trixie)"
      VERSION_CODENAME=trixie
      ID=debian
      HOME_URL="https://www.debian.org/"
      """
    let pairs = try Dotenv.parse(text)
    #expect(pairs.count == 7 && pairs[0].value == "Debian GNU/Linux 13 (trixie)" && pairs[5] == ("ID", "debian"))
  }

  @Test func cutAndFlippedNeverCrash() throws {
    let original = Array("export A=\"a\\n\\\"b\" # c\r\nB='x\ny'\\''z'\n# d\nC= e f #g\n".utf8)
    for place in original.indices {
      _ = try? Dotenv.parse(String(decoding: original[..<place], as: UTF8.self))
      for replacement in UInt8.min...UInt8.max {
        var bytes = original
        bytes[place] = replacement
        guard let pairs = try? Dotenv.parse(String(decoding: bytes, as: UTF8.self)) else { continue }
        let again = try Dotenv.parse(Dotenv.format(pairs))
        #expect(again.elementsEqual(pairs, by: ==))
      }
    }
  }
}
