import SatchelSettings
import SatchelSystem
import SatchelValues

extension Command {
  static let add = Command(
    id: .add, summary: "add to an integer and print the sum",
    details: [
      "Adds N, which may be negative and is 1 where it is left out. Nothing is lost, however many programs add at once. "
        + "A key without a value counts as 0. Exit code 2 where the key holds something else, 9 where the sum does not fit "
        + "64 bits; nothing is changed then.",
      "The domain is made where it does not exist.",
    ],
    operands: [.domain, .key, Operand("N", .optional)], flags: [.durable] + Flag.opening,
    flagsOfBuiltin: ["-v"],
    examples: [Example("satchel add org.example.player plays", "prints how often it has been played")],
    run: { arguments, output throws(Failure) in
      let key = try arguments.text(1)
      let delta = try delta(arguments)
      let settings = try Opening.writing(try arguments.text(0), arguments)
      let sum = try calling { () throws(SatchelError) in try settings.add(key, delta) }
      output.add("\(sum)\n")
      return .done
    })

  private static func delta(_ arguments: Arguments) throws(Failure) -> Int64 {
    guard arguments.operands.count > 2 else { return 1 }
    let text = try arguments.text(2)
    guard let delta = try? Value(text: text, as: .int).asInt64() else {
      throw Failure(.usage, "add: N is an integer of 64 bits, not \"\(text)\"")
    }
    return delta
  }
}
