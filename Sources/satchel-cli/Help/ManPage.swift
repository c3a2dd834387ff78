/// The manual page in mdoc(7), made from the table.
enum ManPage {
  static func text() -> String {
    var page = Mdoc()
    page.macro("Dd", Version.date)
    page.comment("groff would say that it is a page of BSD")
    page.macro("ds", "doc-volume-operating-system Linux")
    page.macro("Dt", "SATCHEL 1")
    page.macro("Os", "satchel \(Version.text)")
    page.macro("Sh", "NAME")
    page.macro("Nm", "satchel")
    page.macro("Nd", Table.summary)
    synopsis(&page)
    description(&page)
    for topic in Topic.all { section(topic, &page) }
    page.macro("Sh", "SEE ALSO")
    page.macro("Xr", "env 1 ,")
    page.macro("Xr", "git-config 1 ,")
    page.macro("Xr", "printf 1")
    return page.text
  }

  private static func synopsis(_ page: inout Mdoc) {
    page.macro("Sh", "SYNOPSIS")
    for command in Table.commands {
      page.macro("Nm", "satchel")
      page.macro("Cm", command.name)
      for operand in command.operands { self.operand(operand, &page) }
      if !command.flags.isEmpty { page.macro("Op", "Ar option ...") }
    }
    page.macro("Nm", "satchel")
    page.macro("Fl", "-version")
  }

  private static func operand(_ operand: Operand, _ page: inout Mdoc) {
    switch operand.count {
    case .one: page.macro("Ar", operand.name)
    case .optional: page.macro("Op", "Ar \(operand.name)")
    case .some: page.macro("Ar", "\(operand.name) ...")
    case .any: page.macro("Op", "Ar \(operand.name) ...")
    }
  }

  private static func description(_ page: inout Mdoc) {
    page.macro("Sh", "DESCRIPTION")
    page.paragraph(
      "A domain is a named store of typed values that every process of a user shares, in every language. Its name has "
        + "letters, digits, dots, dashes and underscores. A key is 1 to 1024 bytes of UTF-8, compared byte by byte. Options "
        + "stand before or behind operands; behind -- everything is an operand.")
    for command in Table.commands {
      if let group = Group.all.first(where: { $0.names.first == command.id }) { introduce(group, &page) }
      subsection(command, &page)
    }
    page.macro("Ss", "Options of every command that opens a domain")
    list(Flag.opening, &page)
  }

  private static func introduce(_ group: Group, _ page: inout Mdoc) {
    page.macro("Ss", "satchel \(group.name): \(group.summary)")
    for paragraph in group.details { page.paragraph(paragraph) }
  }

  private static func subsection(_ command: Command, _ page: inout Mdoc) {
    page.macro("Ss", "satchel \(command.name): \(command.summary)")
    for (place, paragraph) in command.details.enumerated() {
      if place > 0 { page.macro("Pp") }
      page.paragraph(paragraph)
    }
    list(command.ownFlags, &page)
    examples(command, &page)
  }

  private static func list(_ flags: [Flag], _ page: inout Mdoc) {
    if flags.isEmpty { return }
    page.macro("Bl", "-tag -width Ds")
    for flag in flags {
      page.macro("It", spelling(flag))
      page.paragraph(HelpText.meaning(of: flag) + ".")
    }
    page.macro("El")
  }

  private static func spelling(_ flag: Flag) -> String {
    let letter = flag.letter.map { "Fl \($0) , " } ?? ""
    return letter + "Fl -\(flag.name)" + (flag.argument.map { " Ar \($0)" } ?? "")
  }

  private static func examples(_ command: Command, _ page: inout Mdoc) {
    for (place, example) in command.examples.enumerated() {
      if place == 0 {
        page.macro("Pp")
        page.paragraph(command.examples.count == 1 ? "An example:" : "Examples:")
        page.macro("Bl", "-tag -width Ds")
      }
      page.macro("It", "Li " + Mdoc.quoted(example.command))
      page.paragraph(example.meaning + ".")
    }
    if !command.examples.isEmpty { page.macro("El") }
  }

  private static func section(_ topic: Topic, _ page: inout Mdoc) {
    page.macro("Sh", topic.name == "exit-codes" ? "EXIT STATUS" : topic.title.uppercased())
    for (place, paragraph) in topic.paragraphs.enumerated() {
      if place > 0 { page.macro("Pp") }
      page.paragraph(paragraph)
    }
    if topic.rows.isEmpty { return }
    page.macro("Bl", "-tag -width Ds")
    for row in topic.rows {
      page.macro("It", (topic.name == "environment" ? "Ev " : "") + row.term)
      page.paragraph(row.meaning + ".")
    }
    page.macro("El")
  }
}

/// Lines of mdoc.
private struct Mdoc {
  private(set) var text = ""

  mutating func comment(_ words: String) { text += ".\\\" \(words)\n" }

  mutating func macro(_ name: String, _ arguments: String = "") {
    text += "." + name + (arguments.isEmpty ? "" : " " + arguments) + "\n"
  }

  /// Text in which nothing is a macro, one sentence a line, as mandoc likes it.
  mutating func paragraph(_ words: String) {
    var line = ""
    for word in words.split(separator: " ") {
      if line.utf8.count + word.utf8.count > 68 {
        add(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
      if word.hasSuffix(".") {
        add(line)
        line = ""
      }
    }
    if !line.isEmpty { add(line) }
  }

  private mutating func add(_ line: String) {
    let escaped = Self.escaped(line)
    let isControl = escaped.hasPrefix(".") || escaped.hasPrefix("'")
    text += (isControl ? "\\&" : "") + escaped + "\n"
  }

  static func quoted(_ text: String) -> String {
    "\"" + escaped(text).split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\(dq") + "\""
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "…": result += "..."
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
