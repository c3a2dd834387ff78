/// `--help` and `satchel help`, made from the table.
enum HelpText {
  static func overview() -> String {
    var text = Wrapping.paragraph("satchel: " + Table.summary) + "\n"
    text += "Usage: satchel COMMAND [OPTION...] [--] [OPERAND...]\n\nCommands:\n"
    for word in Table.words { text += Wrapping.row(word, Table.summary(of: word), column: 15) }
    text += "\nTopics:\n"
    for topic in Topic.all { text += Wrapping.row(topic.name, topic.summary, column: 15) }
    text += "\nsatchel help WORD explains a command or a topic, satchel COMMAND --help too.\n"
    return text + "satchel --version prints the version.\n"
  }

  static func page(of group: Group) -> String {
    var text = "satchel \(group.name): \(group.summary)\n\nUsage:\n"
    text += "  satchel \(group.name) COMMAND [OPTION...] [--] [OPERAND...]\n"
    for paragraph in group.details { text += "\n" + Wrapping.paragraph(paragraph) }
    text += "\nCommands:\n"
    for command in group.commands { text += Wrapping.row(command.name, command.summary, column: 17) }
    return text + "\nsatchel help \(group.name) COMMAND explains one of them.\n"
  }

  static func page(of command: Command) -> String {
    var text = "satchel \(command.name): \(command.summary)\n\nUsage:\n"
    text += Wrapping.lines(command.synopsis, lead: "  ", indent: 6)
    for paragraph in command.details { text += "\n" + Wrapping.paragraph(paragraph) }
    if !command.flags.isEmpty {
      text += "\nOptions:\n"
      for flag in command.flags { text += Wrapping.row(flag.heading, meaning(of: flag), column: 22) }
    }
    if !command.examples.isEmpty {
      text += "\nExamples:\n"
      for example in command.examples {
        text += "  \(example.command)\n" + Wrapping.paragraph(example.meaning, indent: 6)
      }
    }
    return text + "\nExit codes: satchel help exit-codes\n"
  }

  static func page(of topic: Topic) -> String {
    var text = topic.title + "\n"
    for paragraph in topic.paragraphs { text += "\n" + Wrapping.paragraph(paragraph) }
    if !topic.rows.isEmpty { text += "\n" }
    let column = (topic.rows.map { $0.term.unicodeScalars.count }.max() ?? 0) + 4
    for row in topic.rows { text += Wrapping.row(row.term, row.meaning, column: column) }
    return text
  }

  /// With the words to choose from, where there are some.
  static func meaning(of flag: Flag) -> String {
    guard case .choice(let words) = flag.completion else { return flag.summary }
    return flag.summary + ": " + words.joined(separator: ", ")
  }
}
