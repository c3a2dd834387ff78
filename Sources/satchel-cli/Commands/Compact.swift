import SatchelSettings
import SatchelSystem

extension Command {
  static let compact = Command(
    id: .compact, summary: "rewrite domains without what is no longer needed",
    details: [
      "It happens by itself as a domain grows. Programs that have the domain open go on.",
      "What keys held before is kept, up to a limit, as the history of the domain: values that are unset or replaced may still "
        + "stand in the file.",
    ],
    operands: [Operand("DOMAIN", .some, .domains)], flags: Flag.opening,
    examples: [Example("satchel compact org.example.player", "rewrites its file now")],
    run: { arguments, _ throws(Failure) in
      for domain in try arguments.texts(from: 0) {
        let settings = try Opening.present(domain, arguments)
        try calling { () throws(SatchelError) in try settings.compact() }
      }
      return .done
    })
}
