/// Completions for zsh, made from the table.
enum ZshCompletion {
  static func text() -> String {
    var text = "#compdef satchel\n# Completions of satchel for zsh; made by: satchel help --completion zsh\n\n"
    text += helpers + subtopics() + "_satchel() {\n" + commands()
    text += "  case $command in\n"
    for command in Table.commands {
      text +=
        "    (\(command.name.split(separator: " ").joined(separator: "\\ ")))\n      _arguments -S -s" + specs(command)
        + "\n      ;;\n"
    }
    return text + "  esac\n}\n\n" + registration
  }

  /// The file is found by compinit as `_satchel`, or sourced.
  private static let registration = """
    if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
      _satchel "$@"
    else
      compdef _satchel satchel
    fi

    """

  /// Keys and domains come from the command itself, and from the folder that --directory names on the line.
  private static let helpers = #"""
    _satchel_domains() {
      local -a names expl
      names=(${(0)"$(satchel domains -z ${opt_args[--directory]:+--directory=${(Q)opt_args[--directory]}} 2>/dev/null)"})
      _wanted domains expl domain compadd -a names
    }

    _satchel_apps() {
      local -a names expl
      names=(${(f)"$(satchel log files --apps 2>/dev/null)"})
      _wanted apps expl app compadd -a names
    }

    _satchel_keys() {
      local -a names expl
      names=(${(0)"$(satchel list -z --keys ${opt_args[--directory]:+--directory=${(Q)opt_args[--directory]}} \
        -- ${(Q)line[1]} 2>/dev/null)"})
      _wanted keys expl key compadd -a names
    }


    """#

  private static func subtopics() -> String {
    var text = "_satchel_subtopics() {\n  case $line[1] in\n"
    for group in Group.all { text += "    (\(group.name)) compadd \(group.words.joined(separator: " ")) ;;\n" }
    return text + "  esac\n}\n\n"
  }

  private static func commands() -> String {
    var text = "  if (( CURRENT == 2 )); then\n    local -a commands=(\n"
    for word in Table.words { text += "      " + quoted("\(word):\(Table.summary(of: word))") + "\n" }
    text += "      '--help:print an overview'\n      '--version:print the version'\n"
    return text + "    )\n    _describe -t commands command commands\n    return\n  fi\n" + groups()
  }

  /// The second word of a group.
  private static func groups() -> String {
    var text =
      "  local command=$words[2] line\n  typeset -A opt_args\n  shift words\n  (( CURRENT-- ))\n  case $command in\n"
    for group in Group.all {
      text += "    (\(group.name))\n      if (( CURRENT == 2 )); then\n        local -a commands=(\n"
      for (word, command) in zip(group.words, group.commands) {
        text += "          " + quoted("\(word):\(command.summary)") + "\n"
      }
      text += "          '--help:explain these commands'\n        )\n        _describe -t commands command commands\n"
      text +=
        "        return\n      fi\n      command+=\" $words[2]\"\n      shift words\n      (( CURRENT-- ))\n      ;;\n"
    }
    return text + "  esac\n"
  }

  private static func specs(_ command: Command) -> String {
    var specs = command.flags.map { spec($0, command) }
    specs.append(quoted("(- *)--help[explain this command]"))
    for (place, operand) in command.operands.enumerated() {
      let number = operand.count.isEndless ? "*" : String(place + 1)
      let optional = operand.count == .optional ? ":" : ""
      specs.append(quoted("\(number):\(optional)\(operand.name):\(action(operand.completion))"))
    }
    return specs.map { " \\\n        " + $0 }.joined()
  }

  private static func spec(_ flag: Flag, _ command: Command) -> String {
    let groups = command.exclusions.filter { group in group.contains { $0.name == flag.name } }
    let excluded = groups.flatMap { $0 }.map { "--" + $0.name }
    let spellings = ["--" + flag.name] + (flag.letter.map { ["-" + $0] } ?? [])
    let others = unique(excluded + spellings)
    let bare = "[\(escaped(flag.summary))]"
    let argument = flag.argument.map { ":\($0):\(action(flag.completion))" } ?? ""
    return spellings.map { spelling in
      let takesMore = spelling.hasPrefix("--") && flag.argument != nil
      return quoted("(\(others.joined(separator: " ")))\(spelling)\(takesMore ? "=" : "")\(bare)\(argument)")
    }.joined(separator: " ")
  }

  private static func unique(_ words: [String]) -> [String] {
    words.enumerated().filter { place, word in words.firstIndex(of: word) == place }.map(\.element)
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .nothing: " "
    case .domains: "_satchel_domains"
    case .keys: "_satchel_keys"
    case .files: "_files"
    case .folders: "_files -/"
    case .choice(let words): "(" + words.joined(separator: " ") + ")"
    case .topics: "(" + (Table.words + Topic.all.map(\.name)).joined(separator: " ") + ")"
    case .subtopics: "_satchel_subtopics"
    case .apps: "_satchel_apps"
    }
  }

  /// Brackets and colons mean something in a spec.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "[" || scalar == "]" || scalar == ":" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
