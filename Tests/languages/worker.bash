#!/usr/bin/env bash
# What run.sh has every language do, in bash: worker.bash VERB DOMAIN ARGUMENT. With the builtin that SATCHEL_BUILTIN
# names, else with the command.
set -eu
[ -z "${SATCHEL_BUILTIN:-}" ] || enable -f "$SATCHEL_BUILTIN" satchel
verb=$1 domain=$2 argument=$3

compare_once() {
  local old
  while true; do
    old=$(satchel get "$domain" compared --default 0)
    if [ "$old" = 0 ]; then
      ! satchel set "$domain" compared 1 --type int --if-absent || return 0
    else
      ! satchel set "$domain" compared $((old + 1)) --type int --if-equals "$old" || return 0
    fi
  done
}

each_value() {
  local type json number=0 expected value
  while read -r type json; do
    [ "$type" != "#" ] || continue
    number=$((number + 1))
    if [ "$verb" = write ]; then
      satchel set --type json "$domain" "$argument.$number" -- "$json"
    else
      satchel set --type json "$domain" "bash.$$" -- "$json"
      expected=$(satchel get --json "$domain" "bash.$$" && printf .)
      value=$(satchel get --json "$domain" "$argument.$number" && printf .)
      [ "$value" = "$expected" ] || printf '%s.%s: %s, not %s\n' "$argument" "$number" "$value" "$expected"
    fi
  done <"$SATCHEL_VALUES"
  [ "$verb" = write ] || satchel unset "$domain" "bash.$$"
}

case $verb in
  write | check) each_value ;;
  count) for ((number = 1; ; number++)); do satchel set "$domain" "$argument" $number --type int && echo $number; done ;;
  add) for ((number = 0; number < argument; number++)); do satchel add "$domain" sum 1 >/dev/null; done ;;
  compare) for ((number = 0; number < argument; number++)); do compare_once; done ;;
  pair) for ((number = 0; number < argument; number++)); do
    printf '{"pair.a":%d,"pair.b":%d}' $number $number | satchel import "$domain" --format json 2>/dev/null
  done ;;
esac
