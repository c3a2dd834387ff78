import SatchelSettings
import SatchelSystem
import SatchelValues

extension Command {
  static let domains = Command(
    id: .domains, summary: "print the names of all domains",
    details: ["One name a line, sorted."],
    operands: [], flags: [.json, .null, .directory], exclusions: [[.json, .null]],
    flagsOfBuiltin: ["-a"],
    examples: [Example("satchel domains", "prints org.example.player")],
    run: { arguments, output throws(Failure) in
      let names = try all(arguments)
      if arguments.has(.json) {
        let value = Value.array(names.map { .string($0) })
        output.add(try calling { () throws(SatchelError) in try JSON.format(value, pretty: false) } + "\n")
        return .done
      }
      for name in names {
        output.add(name)
        output.add(arguments.has(.null) ? 0 : UInt8(ascii: "\n"))
      }
      return .done
    })

  /// Every domain there is.
  static func all(_ arguments: Arguments) throws(Failure) -> [String] {
    try calling { () throws(SatchelError) in try Settings.domains(in: arguments.value(.directory)) }
  }
}
