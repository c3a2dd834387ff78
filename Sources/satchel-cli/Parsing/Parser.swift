/// Sorts the words of one command into flags and operands, as its row of the table says.
struct Parser {
  let command: Command
  let words: [Word]
  private var next = 0
  private var arguments = Arguments()

  init(command: Command, words: [Word]) {
    self.command = command
    self.words = words
  }

  /// Nil where help was asked for.
  mutating func parse() throws(Failure) -> Arguments? {
    var takesFlags = true
    while next < words.count {
      let word = words[next]
      next += 1
      guard takesFlags, word.looksLikeFlag else {
        arguments.operands.append(word)
        continue
      }
      let text = try word.text()
      if text == "--help" || text == "-h" { return nil }
      if text == "--" { takesFlags = false } else { try take(flag: text) }
    }
    try checkOperands()
    try checkExclusions()
    return arguments
  }

  private mutating func take(flag text: String) throws(Failure) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let flag = command.flags.first(where: { $0.isSpelled(parts[0]) }) else { throw unknown(parts[0]) }
    guard flag.argument != nil else {
      if parts.count > 1 { throw command.misuse("\(parts[0]) takes no value") }
      return arguments.add(flag, "")
    }
    let value = parts.count > 1 ? parts[1] : try nextWord(of: flag)
    try check(value, of: flag)
    arguments.add(flag, value)
  }

  private mutating func nextWord(of flag: Flag) throws(Failure) -> String {
    guard next < words.count else { throw command.misuse("--\(flag.name) needs a value: \(flag.synopsis)") }
    defer { next += 1 }
    return try words[next].text()
  }

  private func check(_ value: String, of flag: Flag) throws(Failure) {
    guard case .choice(let choices) = flag.completion, !choices.contains(value) else { return }
    let hint = Suggestion.near(value, among: choices).map { "; did you mean \($0)?" } ?? ""
    throw Failure(
      .usage, "\(command.name): --\(flag.name) is one of \(choices.joined(separator: ", ")), not \"\(value)\"\(hint)")
  }

  private func unknown(_ spelling: String) -> Failure {
    if command.flagsOfBuiltin.contains(spelling) {
      return command.misuse("\(spelling) belongs to the builtin for bash, which is not loaded here: satchel help bash")
    }
    let hint = Suggestion.near(spelling, among: command.flags.map { "--" + $0.name } + ["--help"])
    return command.misuse("there is no flag \(spelling)" + (hint.map { "; did you mean \($0)?" } ?? ""))
  }

  private func checkOperands() throws(Failure) {
    let count = arguments.operands.count
    for (index, operand) in command.operands.enumerated() where operand.count.isRequired && index >= count {
      throw command.misuse("\(operand.name) is missing")
    }
    if command.operands.contains(where: { $0.count.isEndless }) || count <= command.operands.count { return }
    throw command.misuse("\"\(arguments.operands[command.operands.count].shown)\" is one word too many")
  }

  private func checkExclusions() throws(Failure) {
    for group in command.exclusions {
      let given = group.filter { arguments.has($0) }
      if given.count > 1 { throw command.misuse("--\(given[0].name) and --\(given[1].name) exclude each other") }
    }
  }
}

extension Word {
  /// A dash and more, but not a negative number, which can be a value.
  fileprivate var looksLikeFlag: Bool {
    guard pointer[0] == CChar(bitPattern: UInt8(ascii: "-")), pointer[1] != 0 else { return false }
    let second = UInt8(bitPattern: pointer[1])
    if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second) || second == UInt8(ascii: ".") { return false }
    return !["-inf", "-infinity", "-nan"].contains(shown.lowercased())
  }
}
