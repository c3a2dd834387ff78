/// The text of a dump: `(type) value`, and what is inside the value in lines of its own, three columns further right each time.
/// All languages write theirs alike; docs/dumps.md has the rules.
struct DumpWriter {
  let limits: DumpLimits
  private(set) var bytes: [UInt8] = []
  var depth = 0
  /// What there is room for has been written; all else is left out.
  private(set) var isFull = false

  init(_ limits: DumpLimits) { self.limits = limits }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func byte(_ byte: UInt8) {
    if !isFull { bytes.append(byte) }
  }

  mutating func word(_ word: StaticString) {
    if !isFull { word.withUTF8Buffer { bytes.append(contentsOf: $0) } }
  }

  mutating func verbatim(_ text: UnsafeRawBufferPointer) { bytes.append(contentsOf: text) }

  mutating func ascii(_ word: String) {
    if !isFull { bytes.append(contentsOf: word.utf8) }
  }

  /// `(Int) `
  mutating func type(_ name: String) {
    word("(")
    plain(name)
    word(") ")
  }

  /// The next line, as deep as we are. Here a dump that is too long ends.
  mutating func line() {
    guard bytes.count < limits.size else { return end() }
    byte(UInt8(ascii: "\n"))
    for _ in 0..<depth { word("   ") }
  }

  private mutating func end() {
    guard !isFull else { return }
    ascii("\n... cut at \(limits.size) bytes")
    isFull = true
  }

  /// What is written until `close` stands between the brackets in lines of its own, each begun by `line`. nil, and all is said, where
  /// that is too deep.
  mutating func open(_ bracket: Bracket) -> Int? {
    byte(bracket.open)
    guard depth < limits.depth else {
      ascii(" ... deeper than \(limits.depth) levels ")
      byte(bracket.close)
      return nil
    }
    depth += 1
    return bytes.count
  }

  /// In the same line where nothing was written.
  mutating func close(_ bracket: Bracket, from start: Int) {
    depth -= 1
    if bytes.count > start { line() }
    byte(bracket.close)
  }

  enum Bracket {
    case ordered, unordered, named

    var open: UInt8 {
      switch self {
      case .ordered: UInt8(ascii: "[")
      case .unordered: UInt8(ascii: "(")
      case .named: UInt8(ascii: "{")
      }
    }
    var close: UInt8 { self == .unordered ? open + 1 : open + 2 }
  }

  /// Something of the same depth, beside this one.
  func beside() -> DumpWriter {
    var other = self
    other.bytes = []
    return other
  }

  mutating func append(_ other: DumpWriter) {
    if !isFull { bytes.append(contentsOf: other.bytes) }
    isFull = isFull || other.isFull
  }
}
