import SatchelSettings
import SatchelSystem
import SatchelValues

extension Flag {
  fileprivate static let fallback = Flag("default", "VALUE", summary: "print VALUE where the key has no value")
}

extension Command {
  static let get = Command(
    id: .get, summary: "print the value of a key",
    details: [
      "Prints the value as text and a line feed. Data is printed as base64, arrays and dictionaries as JSON on one line.",
      "Where the key or the domain is absent nothing is printed and the exit code is 1. --default prints its VALUE "
        + "instead, as it stands; it has to be of the type asked for.",
      "With --type the value is converted where nothing is lost by it: a stored 3.0 is the int 3, a stored 3.5 is not "
        + "and gives exit code 2. Text is never taken for a number. The type json prints any value as JSON, as --json does.",
    ],
    operands: [.domain, .key], flags: [.type, .fallback, .json, .null] + Flag.opening,
    flagsOfBuiltin: ["-v", "-a", "-A"],
    examples: [
      Example("satchel get org.example.player volume", "prints 0.5"),
      Example("satchel get org.example.player plays --type int --default 0", "prints 0 where there is none yet"),
    ],
    run: { arguments, output throws(Failure) in try Get(arguments).run(&output) })
}

private struct Get {
  let arguments: Arguments
  let type: TypeName?
  let domain: String
  let key: String

  init(_ arguments: Arguments) throws(Failure) {
    self.arguments = arguments
    type = TypeName.asked(arguments)
    domain = try arguments.text(0)
    key = try arguments.text(1)
  }

  func run(_ output: inout Output) throws(Failure) -> ExitCode {
    let fallback = try fallback()
    guard let text = try stored() ?? fallback else { return .no }
    output.add(text)
    output.add(arguments.has(.null) ? 0 : UInt8(ascii: "\n"))
    return .done
  }

  private func stored() throws(Failure) -> String? {
    guard let settings = try Opening.reading(domain, arguments) else { return nil }
    let key = key
    guard let value = try calling({ () throws(SatchelError) in try settings.value(for: key) }) else { return nil }
    do throws(SatchelError) { return try text(of: value) } catch {
      // A stored value of another type is exit code 2, also where it is the right type but too large for it.
      throw Failure(.usage, "\(domain): \(key.shortened): \(error.message)", "--json prints a value of any type")
    }
  }

  private func text(of value: Value) throws(SatchelError) -> String {
    let value = try type?.convert(value) ?? value
    return isJSON ? try JSON.format(value, pretty: false) : try value.text
  }

  private func fallback() throws(Failure) -> String? {
    guard let text = arguments.value(.fallback) else { return nil }
    let value = try (type ?? .value(.string)).value(of: text, for: "--default")
    guard arguments.has(.json) else { return text }
    return try calling { () throws(SatchelError) in try JSON.format(value, pretty: false) }
  }

  private var isJSON: Bool {
    if case .json = type { return true }
    return arguments.has(.json)
  }
}
