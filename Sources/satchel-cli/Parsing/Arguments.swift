import SatchelSystem
import SatchelValues

/// What the command line said, checked against the table.
struct Arguments {
  var operands: [Word] = []
  private var given: [(flag: Flag, value: String)] = []

  mutating func add(_ flag: Flag, _ value: String) { given.append((flag, value)) }

  func has(_ flag: Flag) -> Bool { given.contains { $0.flag.name == flag.name } }

  /// The last one counts, so that an alias can be overridden.
  func value(_ flag: Flag) -> String? { given.last { $0.flag.name == flag.name }?.value }

  func values(_ flag: Flag) -> [String] { given.filter { $0.flag.name == flag.name }.map(\.value) }

  /// The operand at `index`, which the parser has made sure of.
  func text(_ index: Int) throws(Failure) -> String { try operands[index].text() }

  /// All operands from `index` on.
  func texts(from index: Int) throws(Failure) -> [String] {
    var texts: [String] = []
    for word in operands.dropFirst(index) { texts.append(try word.text()) }
    return texts
  }

  /// A number after a flag.
  func number(_ flag: Flag) throws(Failure) -> UInt64? {
    guard let text = value(flag) else { return nil }
    let value = try TypeName.uint.value(of: text, for: "--" + flag.name)
    return try calling { () throws(SatchelError) in try value.asUInt64() }
  }
}
