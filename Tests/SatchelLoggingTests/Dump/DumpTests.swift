import Glibc
import SatchelCollections
import SatchelSystem
import TestSupport
import Testing

@testable import SatchelLogging

private enum Shape {
  case none
  case circle(Double)
  case rectangle(width: Double, height: Double)
}
private class Node {
  var name: String
  var next: Node?
  init(_ name: String) { self.name = name }
}
private final class Leaf: Node {
  var weight = 3
}
private struct Described: CustomStringConvertible {
  var description: String
}
private struct NoFields {}

/// Shows whatever mirror it is told to.
private struct Liar: CustomReflectable {
  let mirror: () -> Mirror
  var customMirror: Mirror { mirror() }
}
/// Goes on for ever, and takes as long to count.
private struct Endless: Collection {
  var startIndex: Int { 0 }
  var endIndex: Int { .max }
  func index(after index: Int) -> Int { index + 1 }
  subscript(index: Int) -> (label: String?, value: Any) { (nil, index) }
}
/// Contains itself.
private final class Mirrored: CustomReflectable {
  var customMirror: Mirror { Mirror(self, unlabeledChildren: [self, self], displayStyle: .collection) }
}
private struct Deep: CustomReflectable {
  let level: Int
  var customMirror: Mirror { Mirror(self, children: ["deeper": Deep(level: level + 1)]) }
}
/// Dumps itself when it is described.
private struct Dumping: CustomStringConvertible {
  let log: Logger
  var description: String {
    log.dump(self, label: "again", severity: .notice)
    return "done"
  }
}

@Suite struct DumpTests {
  private func dump(_ value: Any, _ change: (inout DumpLimits) -> Void = { _ in }) -> String {
    var limits = DumpLimits()
    change(&limits)
    let text = Dumps.describe(value, label: "label", limits, hidesSecrets: true).text
    #expect(text.hasPrefix("label\n"))
    return String(text.dropFirst(6))
  }

  @Test func scalars() {
    #expect(dump(UInt8(7)) == "(UInt8) 7")
    #expect(dump(Float(0.1)) == "(Float) 0.1")
    #expect(dump(Character("a")) == "(Character) 'a' 0x61")
    #expect(dump(Character("\n")) == "(Character) '\\n' 0xa")
    #expect(dump(Character("e\u{301}")) == "(Character) 'e\u{301}' 0x65 0x301")
    #expect(dump("abc".dropFirst()) == "(Substring) \"bc\"")
    #expect(dump("a" as StaticString) == "(StaticString) \"a\"")
    #expect(dump(UnsafeRawPointer(bitPattern: 0x10)!) == "(UnsafeRawPointer) 0x10")
    #expect(dump(Int.self) == "(Int.Type) Int")
    #expect(dump({ (a: Int) in a }) == "((Int) -> Int) (Function)")
  }

  @Test func optionals() {
    #expect(dump(Int?.none as Any) == "(Optional<Int>) nil")
    #expect(dump(Int?.some(3) as Any) == "(Optional<Int>) 3")
    #expect(dump(Int??.some(nil) as Any) == "(Optional<Optional<Int>>) nil")
  }

  @Test func containers() {
    #expect(dump(["b": 1]) == "(Dictionary<String, Int>) 1 entry {\n   [\"b\"]: (Int) 1\n}")
    #expect(dump([Int: Int]()) == "(Dictionary<Int, Int>) 0 entries {}")
    #expect(dump(Set(["b", "a"])) == "(Set<String>) 2 entries (\n   (String) \"a\"\n   (String) \"b\"\n)")
    var ordered = OrderedDictionary<String, Int>()
    for (index, key) in ["z", "b", "y", "a"].enumerated() { ordered[key] = index }
    #expect(
      dump(ordered) == """
        (OrderedDictionary<String, Int>) 4 entries {
           ["z"]: (Int) 0
           ["b"]: (Int) 1
           ["y"]: (Int) 2
           ["a"]: (Int) 3
        }
        """)
    #expect(dump((1, b: "x")) == "((Int, b: String)) {\n   .0: (Int) 1\n   b: (String) \"x\"\n}")
    #expect(dump(NoFields()) == "(NoFields) {}")
  }

  @Test func twoDumpsOfADictionaryAreTheSame() {
    let pairs = (0..<200).map { ("key \($0)", $0) }
    let other = Dictionary(uniqueKeysWithValues: pairs.reversed())
    #expect(dump(Dictionary(uniqueKeysWithValues: pairs)) == dump(other))
  }

  @Test func enumerations() {
    #expect(dump(Shape.none) == "(Shape) .none")
    #expect(dump(Shape.circle(2)) == "(Shape) .circle: (Double) 2.0")
    #expect(
      dump(Shape.rectangle(width: 1, height: 2))
        == "(Shape) .rectangle {\n   width: (Double) 1.0\n   height: (Double) 2.0\n}")
  }

  @Test func whatDescribesItselfIsDescribedByThat() {
    #expect(dump(Described(description: "one\ntwo\u{1b}")) == "(Described) one\n   two\\e")
    #expect(dump(Described(description: "")) == "(Described) <no description>")
    #expect(dump(0..<3) == "(Range<Int>) 0..<3")
  }

  @Test func errors() {
    let error = SatchelError(.io, "no", systemError: 5, path: "/x")
    #expect(
      dump(error)
        == "(SatchelError) SATCHEL_EIO (code -6) {\n   message: \"no\"\n   path: \"/x\"\n   errno: 5\n}")
  }

  @Test func objectsHaveAnAddressAndAreShownOnce() {
    let leaf = Leaf("leaf")
    leaf.next = leaf
    let address = "0x" + String(UInt(bitPattern: ObjectIdentifier(leaf)), radix: 16)
    #expect(
      dump(leaf) == """
        (Leaf) <\(address)> {
           name: (String) "leaf"
           next: (Optional<Node>) <\(address)> (shown above)
           weight: (Int) 3
        }
        """)
  }

  @Test func secretsAreNotShown() {
    let text = dump(["password": "hunter2", "user": "me"])
    #expect(!text.contains("hunter2"))
    #expect(text.contains("[\"user\"]: (String) \"me\""))
  }

  @Test func theEndOfWhatIsShownIsTold() {
    #expect(dump(Array(0..<2000)).hasSuffix("   [999]: (Int) 999\n   ... 1000 more\n]"))
    #expect(dump([[[1]]]) { $0.depth = 2 }.contains("[0]: (Array<Int>) 1 entry [ ... deeper than 2 levels ]"))
    let large = dump((0..<900).map { _ in String(repeating: "x", count: 1000) })
    #expect(large.utf8.count < 264_000)
    #expect(large.hasSuffix("\n... cut at 262144 bytes"))
    #expect(dump("ä") { $0.text = 1 } == "(String) \"ä\"... 1 more bytes")
  }

  @Test func hostileMirrorsAreSurvived() {
    let children = Mirror.Children(Endless())
    let endless = dump(Liar { Mirror(NoFields(), children: children, displayStyle: .collection) })
    #expect(endless.contains("more than 1000 entries [") && endless.hasSuffix("   ... more\n]"))
    #expect(dump(Liar { Mirror(NoFields(), children: children, displayStyle: .dictionary) }).contains("(Int) 0"))
    #expect(dump(Liar { Mirror(NoFields(), children: children, displayStyle: .set) }).contains("(Int) 0"))
    #expect(dump(Liar { Mirror(NoFields(), children: children, displayStyle: .struct) }).contains("(Int) 0"))
    #expect(dump(Liar { Mirror(NoFields(), children: children, displayStyle: .enum) }).contains("(Int) 0"))
    #expect(dump(Liar { Mirror(NoFields(), children: [:], displayStyle: .optional) }).hasSuffix("nil"))
    #expect(dump(Liar { Mirror(NoFields(), children: [:], displayStyle: .enum) }).hasPrefix("(Liar) ."))
    #expect(dump(Mirrored()).contains("(shown above)"))
    #expect(dump(Deep(level: 0)).contains("deeper than 16 levels"))
  }

  @Test func aDumpIsARecordOfItsKind() throws {
    let scratch = try ScratchLog { $0.level = .trace }
    scratch.log.dump(["a\\n\"b\n"], label: "two\nlines")
    let entry = try #require(try scratch.entries().first)
    #expect(entry.kind == .dump)
    #expect(entry.severity == .trace)
    #expect(String(decoding: entry.function ?? [], as: UTF8.self) == "aDumpIsARecordOfItsKind()")
    #expect(
      String(decoding: entry.message, as: UTF8.self)
        == "two\\nlines\n(Array<String>) 1 entry [\n   [0]: (String) \"a\\\\n\\\"b\\n\"\n]")
    let file = String(decoding: scratch.files.joined(), as: UTF8.self)
    #expect(
      file.hasSuffix(": two\\nlines\n    (Array<String>) 1 entry [\n       [0]: (String) \"a\\\\n\\\"b\\n\"\n    ]\n"))
  }

  @Test func otherFormatsKeepADump() throws {
    for format in [FileFormat.json, .logfmt] {
      let scratch = try ScratchLog { $0.format = format }
      scratch.log.dump(["a\\n\"b\n"], label: "x", severity: .notice)
      #expect(scratch.log.flush(patience: 20_000_000_000))
      let line = scratch.files.joined().filter { $0 != UInt8(ascii: "\n") }
      let entry = Array(line).withUnsafeBytes { format == .json ? JSONLine.parse($0) : LogfmtLine.parse($0) }
      #expect(entry?.kind == .dump)
      #expect(entry?.message == Array("x\n(Array<String>) 1 entry [\n   [0]: (String) \"a\\\\n\\\"b\\n\"\n]".utf8))
    }
  }

  @Test func whatNobodyWantsIsNotEvaluated() throws {
    let scratch = try ScratchLog()
    var evaluated = 0
    func value() -> Int {
      evaluated += 1
      return evaluated
    }
    scratch.log.dump(value())
    #expect(evaluated == 0)
    scratch.log.dump(value(), severity: .info)
    #expect(evaluated == 1)
  }

  @Test func aDescriptionMayDump() throws {
    let scratch = try ScratchLog()
    scratch.log.dump(Dumping(log: scratch.log), label: "first", severity: .notice)
    let texts = try scratch.entries().map { String(decoding: $0.message, as: UTF8.self) }
    #expect(texts.first == "again\n... dumped while it is being dumped")
    #expect(texts.last == "first\n(Dumping) done")
    #expect(texts.count == 9)
  }

  @Test func consolesShowAnArrow() throws {
    var record = RecordBuilder(kind: .dump)
    record.literal("label\n(Array<String>) 1 entry [\n   [0]: (String) \"\\n\"\n]")
    for (markers, arrow) in [(MarkerSet.symbols, "🔸 label\n↪︎ "), (.ascii, "[N] label\n-> ")] {
      let renderer = ConsoleRenderer(header: [], markers: markers)
      let shown = try record.rendered { renderer.render($0, time: 0, category: $1, into: $2) }
      #expect(
        String(decoding: shown, as: UTF8.self)
          == arrow + "(Array<String>) 1 entry [\n      [0]: (String) \"\\n\"\n   ]\n")
    }
  }
}
