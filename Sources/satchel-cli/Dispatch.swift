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
      let command = try Table.command(named: name)
      var parser = Parser(command: command, words: Array(words.dropFirst()))
      guard let arguments = try parser.parse() else {
        output.add(HelpText.page(of: command))
        return .done
      }
      return try command.run(arguments, &output)
    }
  }
}
