/// Completions for bash: three functions made from the table, and the words that use them.
enum BashCompletion {
  static func text() -> String {
    let title = "# Completions of satchel for bash; made by: satchel help --completion bash\n\n"
    let groups = Group.all.map(\.name).joined(separator: " ")
    let words = "# Words behind which another one makes the command.\n_satchel_groups() {\n  echo \(groups)\n}\n\n"
    return title + words + flags() + arguments() + operands() + machinery
  }

  /// What can stand in a place, as one word for `_satchel_fill`.
  private static func kind(_ completion: Completion) -> String {
    switch completion {
    case .nothing: "nothing"
    case .domains: "domains"
    case .keys: "keys"
    case .files: "files"
    case .folders: "folders"
    case .choice(let words): "'words " + words.joined(separator: " ") + "'"
    case .topics: "'words " + (Table.words + Topic.all.map(\.name)).joined(separator: " ") + "'"
    case .subtopics: "subtopics"
    case .apps: "apps"
    }
  }

  private static func flags() -> String {
    var text = "# _satchel_flags COMMAND: its flags; without one, the commands.\n_satchel_flags() {\n  case $1 in\n"
    for command in Table.commands {
      let names = command.flags.map { "--" + $0.name } + ["--help"]
      text += "    '\(command.name)') echo \(names.joined(separator: " ")) ;;\n"
    }
    for group in Group.all { text += "    \(group.name)) echo \(group.words.joined(separator: " ")) --help ;;\n" }
    let names = Table.words + ["--help", "--version"]
    return text + "    '') echo \(names.joined(separator: " ")) ;;\n  esac\n}\n\n"
  }

  private static func arguments() -> String {
    var text = "# _satchel_argument COMMAND FLAG: what stands behind it; nothing for a flag without.\n"
    text += "_satchel_argument() {\n  case $1$2 in\n"
    for command in Table.commands {
      for flag in command.flags where flag.argument != nil {
        text += "    '\(command.name)--\(flag.name)') echo \(kind(flag.completion)) ;;\n"
      }
    }
    return text + "  esac\n}\n\n"
  }

  private static func operands() -> String {
    var text = "# _satchel_operand COMMAND NUMBER: what the operand of that number, from 0, is.\n"
    text += "_satchel_operand() {\n  case $1-$2 in\n"
    for command in Table.commands {
      for (place, operand) in command.operands.enumerated() {
        let number = operand.count.isEndless ? "*" : String(place)
        text += "    '\(command.name)'-\(number)) echo \(kind(operand.completion)) ;;\n"
      }
    }
    return text + "  esac\n}\n\n"
  }

  private static let machinery = #"""
    # Puts into `words` what COMP_WORDBREAKS took apart at = and :, up to the cursor.
    _satchel_join() {
      local line=${COMP_LINE:0:COMP_POINT} word place
      words=()
      for ((place = 0; place <= COMP_CWORD; place++)); do
        word=${COMP_WORDS[place]}
        [[ $line == *"$word"* ]] || word=${line##*[[:space:]]}
        if [[ ${#words[@]} == 0 || $line == [[:space:]]* ]]; then
          words+=("$word")
        else
          words[${#words[@]} - 1]+=$word
        fi
        line=${line#*"$word"}
      done
      piece=${COMP_WORDS[COMP_CWORD]}
    }

    # _satchel_offer CURRENT WORD...: the words that begin like it, without what stands on the line before the break.
    _satchel_offer() {
      local current=$1 cut=${1%"$piece"} word
      [[ $piece != [=:] ]] || cut=$current
      shift
      for word; do
        [[ $word != "$current"* ]] || COMPREPLY+=("${word#"$cut"}")
      done
    }

    # _satchel_fill KIND CURRENT LEAD: offers what KIND stands for behind LEAD, which is --flag= or empty.
    _satchel_fill() {
      local found=() word
      case $1 in
        words\ *) read -ra found <<<"${1#words }" ;;
        subtopics) read -ra found <<<"$(_satchel_flags "$domain")" ;;
        apps) mapfile -t found < <(satchel log files --apps 2>/dev/null) ;;
        domains) mapfile -t found < <(satchel domains "${where[@]}" 2>/dev/null) ;;
        keys)
          while IFS= read -r -d '' word; do found+=("$(printf %q "$word")"); done \
            < <(satchel list "$domain" --keys -z "${where[@]}" 2>/dev/null)
          ;;
        files | folders)
          compopt -o filenames 2>/dev/null
          [[ $1 == files ]] && word=-f || word=-d
          mapfile -t COMPREPLY < <(compgen "$word" -- "${2#"$3"}")
          return
          ;;
      esac
      _satchel_offer "$2" "${found[@]/#/$3}"
    }

    _satchel() {
      local groups=$(_satchel_groups)
      local words=() piece='' where=() domain='' command='' count=0 only='' place word flag
      COMPREPLY=()
      _satchel_join
      local last=$((${#words[@]} - 1))
      for ((place = 1; place < last; place++)); do
        word=${words[place]}
        if [[ -z $command ]]; then
          command=$word
        elif [[ " $groups " == *" $command "* ]]; then
          command+=" $word"
        elif [[ -z $only && $word == -- ]]; then
          only=operands
        elif [[ -z $only && $word == --directory=* ]]; then
          where=("$word")
        elif [[ -z $only && $word == --* && $word != *=* && -n $(_satchel_argument "$command" "$word") ]]; then
          place=$((place + 1))
          [[ $word != --directory || $place -ge $last ]] || where=("--directory=${words[place]}")
          flag=$word
        elif [[ -n $only || $word != -* ]]; then
          [[ $count -gt 0 ]] || domain=$word
          count=$((count + 1))
        fi
      done
      word=${words[last]}
      if [[ -z $command || " $groups " == *" $command "* ]]; then
        read -ra where <<<"$(_satchel_flags "$command")"
        _satchel_offer "$word" "${where[@]}"
      elif [[ $place -gt $last ]]; then
        _satchel_fill "$(_satchel_argument "$command" "$flag")" "$word" ''
      elif [[ -z $only && $word == --*=* ]]; then
        flag=${word%%=*}
        _satchel_fill "$(_satchel_argument "$command" "$flag")" "$word" "$flag="
      elif [[ -z $only && $word == -* ]]; then
        local flags
        read -ra flags <<<"$(_satchel_flags "$command")"
        _satchel_offer "$word" "${flags[@]}"
      else
        _satchel_fill "$(_satchel_operand "$command" "$count")" "$word" ''
      fi
    }

    complete -F _satchel satchel

    """#
}
