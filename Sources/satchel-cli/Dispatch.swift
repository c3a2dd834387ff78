import SatchelSystem

/// From words to an exit code.
enum Dispatch {
  static func run(_ words: [Word]) -> ExitCode {
    var output = Output()
    do throws(Failure) {
      let code = try run(words, &output)
      try output.flush()
      return code
    } catch {
      // What was not written yet stays unwritten: no half of an answer.
      error.report()
      return error.exit
    }
  }

  private static func run(_ words: [Word], _ output: inout Output) throws(Failure) -> ExitCode {
    guard let first = words.first else {
      Diagnostics.write(HelpText.overview())
      return .usage
    }
    switch try first.text() {
    case "--help", "-h":
      output.add(HelpText.overview())
      return .done
    case "--version":
      output.add("satchel \(Version.text)\n")
      return .done
    case let name:
      if let group = Group.named(name) { return try run(group, words.dropFirst(), &output) }
      return try run(Table.command(named: name), words.dropFirst(), &output)
    }
  }

  private static func run(
    _ group: Group, _ words: ArraySlice<Word>, _ output: inout Output
  ) throws(Failure) -> ExitCode {
    guard let first = words.first else {
      Diagnostics.write(HelpText.page(of: group))
      return .usage
    }
    let name = try first.text()
    guard CommandName(rawValue: group.name + " " + name) == nil, words.contains(where: \.asksForHelp) else {
      return try run(Table.command(named: name, in: group), words.dropFirst(), &output)
    }
    output.add(HelpText.page(of: group))
    return .done
  }

  private static func run(
    _ command: Command, _ words: ArraySlice<Word>, _ output: inout Output
  ) throws(Failure) -> ExitCode {
    var parser = Parser(command: command, words: Array(words))
    guard let arguments = try parser.parse() else {
      output.add(HelpText.page(of: command))
      return .done
    }
    return try command.run(arguments, &output)
  }
}
