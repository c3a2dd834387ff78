import Glibc
import TestSupport
import Testing

@testable import SatchelLogging

private struct point {
  var x = 1
  var y = 2.5
}
private struct line {
  var start = point()
  var name = "a\nb"
}
private struct login {
  var user = "me"
  var password = "hunter2"
}

/// The texts of Tests/dumps.txt, which C and Python are held to as well.
@Suite struct DumpGoldenTests {
  static let escapes = "a \"quoted\" \\ \u{7}\u{8}\t\n\u{b}\u{c}\r\u{1b}\u{1}\u{7f} ä \u{202e} \u{85}"
  static var values: [(name: String, value: Any)] {
    [
      ("true", true), ("int", -42), ("double", 0.1), ("large-double", 1e20), ("infinity", -Double.infinity),
      ("text", "two words"), ("escapes", escapes), ("empty-text", ""),
      ("long-text", String(repeating: "x", count: 100)),
      ("empty-list", [Int]()), ("one-int", [7]), ("three-ints", [1, 2, 3]), ("lists-of-lists", [[1, 2], [3, 4]]),
      ("too-many", Array(0..<9)), ("struct", point()), ("nested-struct", line()), ("secret-field", login()),
    ]
  }
  private static let types = [
    "bool": "Bool", "int": "Int", "double": "Double", "text": "String", "long-text": "String", "name": "String",
    "point": "point", "line": "line", "login": "login", "ints": "Array<Int>", "lists": "Array<Array<Int>>",
  ]

  @Test func valuesLookAsInOtherLanguages() throws {
    let expected = try DumpGoldenTests.expected()
    #expect(Set(expected.keys) == Set(DumpGoldenTests.values.map(\.name)))
    for (name, value) in DumpGoldenTests.values {
      var limits = DumpLimits()
      if name == "long-text" { limits.text = 10 }
      if name == "too-many" { limits.entries = 6 }
      let dump = Dumps.describe(value, label: "label", limits, hidesSecrets: true).text
      let text = dump.split(separator: "\n", maxSplits: 1)[1]
      #expect(DumpGoldenTests.withoutFingerprint(String(text)) == expected[name], "\(name)")
    }
  }

  private static func withoutFingerprint(_ text: String) -> String {
    text.replacing(/<secret [0-9a-f]{8}>/, with: "<secret>")
  }

  /// By name.
  private static func expected() throws -> [String: String] {
    let path = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = try #require(fopen("/" + path + "/dumps.txt", "r"))
    defer { fclose(file) }
    var texts: [String: [Substring]] = [:]
    var name = ""
    var room = [CChar](repeating: 0, count: 1024)
    while fgets(&room, 1024, file) != nil {
      let line = String(decoding: room.prefix { $0 != 0 }.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("  ") { texts[name, default: []].append(line.dropFirst(2)) } else { name = String(line) }
    }
    return texts.mapValues { lines in
      lines.joined(separator: "\n").replacing(/\{([a-z-]+)(:\d+)?\}/) { types[String($0.1)] ?? String($0.0) }
    }
  }
}
