/// A type of another language, by which the memory of its values can be read. What it says is looked at before it is relied on.
public protocol DescribedType {
  /// nil where it is none that is known.
  var kind: DescribedKind? { get }
  /// nil where it has none of its own.
  var name: String? { get }
  /// Of a value, in bytes.
  var size: Int { get }
  /// Of elements, members or names.
  var count: Int { get }
  /// Of an array; what a pointer leads to.
  var element: Self? { get }
  func member(_ index: Int) -> DescribedMember<Self>?
  func enumerator(_ index: Int) -> (name: String, value: Int64)?
  /// Where its description lies.
  var identity: UnsafeRawPointer { get }
}

public enum DescribedKind: Int32, Sendable {
  case bool = 1
  /// One byte of text.
  case character
  case int
  case uint
  case float
  /// A pointer to text that ends with a NUL.
  case text
  /// Text in place, that ends with a NUL or with the memory.
  case characters
  /// A pointer and a size.
  case bytes
  case pointer
  case function
  case array
  case structure
  case union
  case enumeration
  /// Bytes that nothing is known of.
  case opaque
}

public struct DescribedMember<DescribedType> {
  public let name: String
  public let offset: Int
  public let type: DescribedType

  public init(name: String, offset: Int, type: DescribedType) {
    self.name = name
    self.offset = offset
    self.type = type
  }
}

extension DescribedType {
  /// As the program would write it.
  var shownName: String { shownName(depth: 0) }

  private func shownName(depth: Int) -> String {
    if let name { return name }
    let inner = element.flatMap { depth < 8 ? $0.shownName(depth: depth + 1) : "..." } ?? "void"
    return switch kind {
    case .array: inner + "[\(count)]"
    case .characters: "char[\(size)]"
    case .pointer: inner + " *"
    case .text: "char *"
    case .bytes: "bytes"
    case .bool: "bool"
    case .character: "char"
    case .int: "int\(size * 8)_t"
    case .uint: "uint\(size * 8)_t"
    case .float: size == 4 ? "float" : "double"
    case .function: "function"
    case .structure: "struct"
    case .union: "union"
    case .enumeration: "enum"
    case .opaque, nil: "?"
    }
  }
}
