import SatchelSettings
import SatchelSystem
import SatchelValues

/// How the commands open a domain.
enum Opening {
  /// For reading: never makes the domain, and makes do without permission to write.
  static func reading(_ domain: String, _ arguments: Arguments) throws(Failure) -> Settings? {
    var options = try options(arguments)
    options.create = false
    return try existing(domain, options)
  }

  /// For what can only be done with a domain that exists.
  static func present(_ domain: String, _ arguments: Arguments) throws(Failure) -> Settings {
    var options = try options(arguments)
    options.create = false
    return try calling { () throws(SatchelError) in try Settings(domain: domain, options: options) }
  }

  /// For a change that an absent domain can only answer with no.
  static func changing(_ domain: String, _ arguments: Arguments) throws(Failure) -> Settings? {
    try reading(domain, arguments)
  }

  /// For a change that makes the domain where it does not exist.
  static func writing(_ domain: String, _ arguments: Arguments) throws(Failure) -> Settings {
    if let settings = try reading(domain, arguments) { return settings }
    let options = try options(arguments)
    return try calling { () throws(SatchelError) in try Settings(domain: domain, options: options) }
  }

  private static func existing(_ domain: String, _ options: Settings.Options) throws(Failure) -> Settings? {
    do throws(SatchelError) { return try Settings(domain: domain, options: options) } catch {
      guard error.code == .notFound else { throw Failure(error) }
      return nil
    }
  }

  private static func options(_ arguments: Arguments) throws(Failure) -> Settings.Options {
    var options = Settings.Options()
    options.directory = try nonEmpty(.directory, arguments)
    options.program = try nonEmpty(.program, arguments)
    if arguments.has(.durable) { options.durability = .disk }
    if let text = arguments.value(.timeout) { options.lockTimeout = try timeout(text) }
    return options
  }

  private static func nonEmpty(_ flag: Flag, _ arguments: Arguments) throws(Failure) -> String? {
    guard let text = arguments.value(flag) else { return nil }
    if text.isEmpty { throw Failure(.usage, "--\(flag.name) is empty") }
    return text
  }

  private static func timeout(_ text: String) throws(Failure) -> Duration {
    guard let seconds = try? Value(text: text, as: .double).asDouble(), seconds >= 0 else {
      throw Failure(.usage, "--timeout: \"\(text)\" is no number of seconds to wait")
    }
    // A century is as good as for ever, and inside of every unit.
    return .seconds(min(seconds, 3_155_760_000))
  }
}
