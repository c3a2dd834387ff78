import SatchelSystem
import SatchelValues

/// What stands after `--type`: the types of values, and `json` for any value written as JSON.
enum TypeName: Sendable {
  case value(ValueType)
  case json

  static let uint = TypeName.value(.uint)

  static let all: [TypeName] =
    [.bool, .int, .uint, .double, .string, .data, .date, .url, .uuid].map { .value($0) } + [.json]

  var name: String {
    switch self {
    case .value(let type): type.name
    case .json: "json"
    }
  }

  /// The one after `--type`; nil without, which stands for a string.
  static func asked(_ arguments: Arguments) -> TypeName? {
    arguments.value(.type).flatMap { name in all.first { $0.name == name } }
  }

  /// The one in which text is read.
  static func ofText(_ arguments: Arguments) -> TypeName { asked(arguments) ?? .value(.string) }

  /// Text as a value. Whatever is wrong with it, it is the command line that is wrong.
  func value(of text: String, for subject: String) throws(Failure) -> Value {
    do throws(SatchelError) {
      switch self {
      case .value(let type): return try Value(text: text, as: type)
      case .json: return try JSON.parse(text)
      }
    } catch {
      throw Failure(.usage, "\(subject): \(error.message)")
    }
  }

  /// A stored value as this type, without loss.
  func convert(_ value: Value) throws(SatchelError) -> Value {
    guard case .value(let type) = self else { return value }
    return try value.converted(to: type)
  }
}
