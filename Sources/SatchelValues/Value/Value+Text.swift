import SatchelSystem

// Text without a type of its own: arguments, environment variables, dotenv files. The type asked for decides how it
// reads.

extension Value {
  /// Reads text as a value of a type; the grammar of each is in docs/values.md. A string is taken as it stands, for
  /// every other type a space before or behind is an error.
  ///
  /// Throws `.type`, naming the text, when it is not of that type, and `.range` when it is but cannot be held.
  public init(text: String, as type: ValueType) throws(SatchelError) {
    switch type {
    case .string, .data, .url, .array, .dictionary: break
    // Reading takes it apart.
    default: try Memory.claim(text.utf8.count * 64)
    }
    switch type {
    case .null: self = try Self.parsed(text == "null" ? .null : nil, text, type)
    case .bool: self = try Self.parsed(Self.flag(text).map { .bool($0) }, text, type)
    case .int: self = .int(try Self.signed(text))
    case .uint: self = Value(try Self.unsigned(text))
    case .double: self = .double(try Self.double(text))
    case .string: self = .string(text)
    case .data: self = try Self.parsed(try Base64.decode(text).map { .data($0) }, text, type)
    case .date: self = .date(try Timestamp(rfc3339: text))
    case .url: self = try Self.parsed(Self.isAbsoluteURL(text) ? .url(text) : nil, text, type)
    case .uuid: self = try Self.parsed(UniqueID(text: text).map { .uuid($0) }, text, type)
    case .array, .dictionary: self = try Self.container(text, type)
    }
  }

  /// What `init(text:as:)` reads back as this value, given its type: strings and URLs as they are, data as base64,
  /// arrays and dictionaries as JSON on one line.
  ///
  /// Throws `.range` for a date outside the years 0001 … 9999 and for what `JSON.format` refuses.
  public var text: String {
    get throws(SatchelError) {
      switch self {
      case .null: return "null"
      case .bool(let flag): return flag ? "true" : "false"
      case .int(let number): return String(number)
      case .uint(let number): return String(number)
      case .double(let number): return number.exactText
      case .string(let text), .url(let text): return text
      case .data(let bytes): return try Base64.encode(bytes)
      case .date(let time): return try time.rfc3339()
      case .uuid(let id): return id.text
      case .array, .dictionary: return try JSON.format(self, pretty: false)
      }
    }
  }

  /// The text as a value of `format`, which holds no nested ones. Throws `.type`, or `.range` as `text`, naming `key`.
  public func text(for key: String, in format: String) throws(SatchelError) -> String {
    switch self {
    case .null, .array, .dictionary:
      throw SatchelError(.type, "\(type.phrase) has no form in \(format)", key: key)
    default:
      do throws(SatchelError) { return try text } catch {
        throw SatchelError(error.code, error.message, key: key)
      }
    }
  }

  private static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on", "1": true
    case "false", "no", "off", "0": false
    default: nil
    }
  }

  private static func signed(_ text: String) throws(SatchelError) -> Int64 {
    guard let (isNegative, magnitude) = NumberText.integer(text) else { throw misread(text, .int) }
    let lowest = UInt64(1) << 63
    guard let magnitude, magnitude < lowest || isNegative && magnitude == lowest else { throw misfit(text, .int) }
    return Int64(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude)
  }

  private static func unsigned(_ text: String) throws(SatchelError) -> UInt64 {
    guard let (isNegative, magnitude) = NumberText.integer(text) else { throw misread(text, .uint) }
    guard let magnitude, !isNegative || magnitude == 0 else { throw misfit(text, .uint) }
    return magnitude
  }

  private static func double(_ text: String) throws(SatchelError) -> Double {
    guard let (number, isNamed) = NumberText.double(text) else { throw misread(text, .double) }
    guard isNamed || number.isFinite else { throw misfit(text, .double) }
    return number
  }

  private static func container(_ text: String, _ type: ValueType) throws(SatchelError) -> Value {
    let value: Value
    do throws(SatchelError) {
      value = try JSON.parse(text)
    } catch {
      guard error.code == .parse else { throw error }
      throw SatchelError(.type, "\(text.quoted) is not \(type.phrase): \(error.message)")
    }
    return try parsed(value.type == type ? value : nil, text, type)
  }

  private static func parsed(_ value: Value?, _ text: String, _ type: ValueType) throws(SatchelError) -> Value {
    guard let value else { throw misread(text, type) }
    return value
  }

  private static func misread(_ text: String, _ type: ValueType) -> SatchelError {
    SatchelError(.type, "\(text.quoted) is not \(type.textPhrase)")
  }

  private static func misfit(_ text: String, _ type: ValueType) -> SatchelError {
    SatchelError(.range, "\(text.quoted) does not fit \(type.phrase)")
  }
}
