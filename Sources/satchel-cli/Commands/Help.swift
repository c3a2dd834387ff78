extension Flag {
  fileprivate static let man = Flag("man", summary: "print the manual page, for man(1)")
  fileprivate static let completion = Flag(
    "completion", "SHELL", .choice(["bash", "zsh"]), summary: "print the completions for a shell")
}

extension Command {
  static let help = Command(
    id: .help, summary: "explain a command or a topic",
    details: [
      "Without a word it prints an overview, which names the topics as well. WORD is the second one of a command that has two."
    ],
    operands: [Operand("COMMAND", .optional, .topics), Operand("WORD", .optional, .subtopics)],
    flags: [.man, .completion],
    exclusions: [[.man, .completion]],
    examples: [
      Example("satchel help set", "explains satchel set"),
      Example("satchel help log show", "explains satchel log show"),
      Example("satchel help --completion bash > /etc/bash_completion.d/satchel", "completes words"),
    ],
    run: { arguments, output throws(Failure) in
      output.add(try text(arguments))
      return .done
    })

  private static func text(_ arguments: Arguments) throws(Failure) -> String {
    let isGiven = !arguments.operands.isEmpty
    if isGiven, arguments.has(.man) || arguments.has(.completion) {
      throw help.misuse("\"\(arguments.operands[0].shown)\" is one word too many")
    }
    if arguments.has(.man) { return ManPage.text() }
    if let shell = arguments.value(.completion) {
      return shell == "bash" ? BashCompletion.text() : ZshCompletion.text()
    }
    guard isGiven else { return HelpText.overview() }
    let word = try arguments.text(0)
    if let topic = Topic.all.first(where: { $0.name == word }) { return HelpText.page(of: topic) }
    if let group = Group.named(word) { return try text(group, arguments) }
    guard let known = CommandName(rawValue: word) else { throw unknown(word) }
    if arguments.operands.count > 1 { throw help.misuse("\"\(arguments.operands[1].shown)\" is one word too many") }
    return HelpText.page(of: known.command)
  }

  private static func text(_ group: Group, _ arguments: Arguments) throws(Failure) -> String {
    guard arguments.operands.count > 1 else { return HelpText.page(of: group) }
    return HelpText.page(of: try Table.command(named: try arguments.text(1), in: group))
  }

  private static func unknown(_ word: String) -> Failure {
    let hint = Suggestion.near(word, among: Table.words + Topic.all.map(\.name))
    let question = hint.map { "; did you mean \($0)?" } ?? ""
    return Failure(.usage, "there is no command and no topic \"\(word)\"\(question)", "see satchel help")
  }
}
