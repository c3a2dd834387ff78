#!/usr/bin/env zsh
# What zsh would offer at the end of a line, one candidate a line: complete.zsh LINE
# An interactive zsh on a pseudo-terminal is given the line and a tab; a compadd of its own prints what it is told.
zmodload zsh/zpty
satchel help --completion zsh >_satchel
zpty shell zsh -f -i
wait_for() {
  local line
  while zpty -r shell line; do
    line=${line%%$'\r\n'}
    [[ $line != *$1* ]] || return 0
    [[ -z $2 || $line != ${2}* ]] || print -r -- ${line#$2}
  done
}
zpty -w shell 'PROMPT= ; unsetopt zle_bracketed_paste; stty -echo; fpath=($PWD $fpath); autoload -Uz compinit; compinit -D -u'
cat >setup.zsh <<'END'
compadd() {
  # Questions of the completion system about matches are not offers.
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then
    builtin compadd "$@"
    return
  fi
  local -a found
  builtin compadd -A found "$@"
  builtin compadd "$@"
  local word
  for word in $found; do print -r -- "offer:$word"; done
}
zle -C complete complete-word _main_complete
complete_and_stop() { print -r -- ''; zle complete; print -r -- "end-of-offers"; zle kill-whole-line; }
zle -N complete_and_stop
bindkey '^I' complete_and_stop
print ready-to-go
END
zpty -w shell 'source ./setup.zsh'
wait_for ready-to-go
zpty -n -w shell "$1"$'\t'
wait_for end-of-offers offer:
zpty -d shell
