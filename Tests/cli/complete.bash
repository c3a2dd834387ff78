#!/usr/bin/env bash
# What bash would offer at the end of a line, one candidate a line: complete.bash LINE
# shellcheck source=/dev/null
source <(satchel help --completion bash)
COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=()
# As readline splits it: at spaces, and around = and :.
word='' started=''
for ((place = 0; place < ${#1}; place++)); do
  letter=${1:place:1}
  case $letter in
    \\) word+=$letter${1:place+1:1} started=yes place=$((place + 1)) ;;
    [[:space:]])
      [[ -z $started ]] || COMP_WORDS+=("$word")
      word='' started=''
      ;;
    [=:])
      [[ -z $started || $word == [=:] ]] || COMP_WORDS+=("$word")
      word=$letter started=yes
      ;;
    *)
      [[ $word != [=:] ]] || { COMP_WORDS+=("$word"); word=''; }
      word+=$letter started=yes
      ;;
  esac
done
COMP_WORDS+=("$word")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
# There is no line editor here to be told about file names.
compopt() { :; }
_satchel
[[ ${#COMPREPLY[@]} == 0 ]] || printf '%s\n' "${COMPREPLY[@]}"
