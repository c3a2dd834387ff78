import SatchelSettings
import SatchelSystem
import SatchelValues

extension Command {
  static let unset = Command(
    id: .unset, summary: "remove a key",
    details: [
      "Where the key has no value, or a condition does not hold, nothing is changed and the exit code is 1.",
      "What the key held stays in the domain's file, as its history, and can be read there: to hide a value it is not enough.",
    ],
    operands: [.domain, .key], flags: [.ifEquals, .type, .ifRevision, .durable] + Flag.opening,
    exclusions: [[.ifEquals, .ifRevision]],
    examples: [Example("satchel unset org.example.player volume", "the key has no value any more")],
    run: { arguments, _ throws(Failure) in
      let key = try arguments.text(1)
      let condition = try Condition(arguments, .ofText(arguments))
      guard let settings = try Opening.changing(try arguments.text(0), arguments) else { return .no }
      let isDone = try calling { () throws(SatchelError) in try condition.remove(key, settings) }
      return isDone ? .done : .no
    })
}

extension Condition {
  /// Revision 0 stands for a key without a value: there is nothing to remove then.
  fileprivate func remove(_ key: String, _ settings: Settings) throws(SatchelError) -> Bool {
    let held = try settings.contains(key)
    if case .revision(0) = self { return false }
    return held ? try apply(nil, to: key, of: settings) : false
  }
}
