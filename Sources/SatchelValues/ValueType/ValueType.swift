/// What a value is. Raw values are those of the C interface (`SATCHEL_TYPE_…`).
public enum ValueType: Int32, Sendable, CaseIterable {
  case null = 0
  case bool = 1
  case int = 2
  case uint = 3
  case double = 4
  case string = 5
  case data = 6
  case date = 7
  case url = 8
  case uuid = 9
  case array = 10
  case dictionary = 11

  /// The name people write and read, for example after `--type`.
  public var name: String {
    switch self {
    case .null: "null"
    case .bool: "bool"
    case .int: "int"
    case .uint: "uint"
    case .double: "double"
    case .string: "string"
    case .data: "data"
    case .date: "date"
    case .url: "url"
    case .uuid: "uuid"
    case .array: "array"
    case .dictionary: "dictionary"
    }
  }

  /// The type of that name, or nil. Names are lower case.
  public init?(name: String) {
    guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }

  /// What text of the type is, for sentences.
  var textPhrase: String {
    switch self {
    case .bool: "a bool: true, yes, on, 1, false, no, off or 0"
    case .data: "base64 with its padding and without line breaks"
    case .url: "an absolute URL"
    case .uuid: "a UUID"
    default: phrase
    }
  }

  /// The name with its article, for sentences: "an array".
  package var phrase: String {
    switch self {
    case .int, .array: "an " + name
    case .uint: "a uint"
    case .null: "null"
    default: "a " + name
    }
  }
}
