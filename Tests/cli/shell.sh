#!/bin/sh
# Checks of satchel.sh, silent where all is well: shell.sh PATH-OF-SATCHEL.SH
# Functions are called by satchel_each; the text that ends in a backslash means just that.
# shellcheck disable=SC2317,SC1003
set -u
# shellcheck source=../../bindings/shell/satchel.sh
. "$1"
status=0
# expect WHAT WANTED GOT
expect() {
  [ "$2" = "$3" ] && return
  printf '%s: expected <%s>, got <%s>\n' "$1" "$2" "$3"
  status=1
}
newline='
'
domain=org.example.shell
awkward="  \$(echo no) \`echo no\` '\"\\n é 🧳 $newline$newline"
value=before absent=before count=before

# Exactly what was stored, the line feeds at the end too; nothing is evaluated.
satchel_set "$domain" awkward "$awkward"
satchel_get value "$domain" awkward
expect "awkward value" "$awkward" "$value"
satchel_set "$domain" -key -value
satchel_get value "$domain" -key
expect "leading dash" -value "$value"
satchel_set "$domain" empty ''
satchel_get value "$domain" empty
expect "empty value" "" "$value"

# Absent: 1, and the variable stays.
satchel_get absent "$domain" none
expect "absent" "1 before" "$? $absent"
satchel_get absent "$domain" none -d
expect "default" "0 -d" "$? $absent"
satchel_get absent "$domain" none ''
expect "empty default" "0 " "$? $absent"

# Types and numbers.
satchel_set "$domain" volume 0.5 double
satchel_get value "$domain" volume
expect "double" 0.5 "$value"
satchel_set "$domain" volume 0 same
satchel_get value "$domain" volume
expect "the same type" 0.0 "$value"
satchel_set "$domain" volume 0.5 same
satchel_set "$domain" volume loud double 2>/dev/null
expect "not a double" 2 $?
satchel_add count "$domain" plays && satchel_add count "$domain" plays -3
expect "add" "0 -2" "$? $count"
satchel_add count "$domain" volume 2>/dev/null
expect "add to a double" "2 -2" "$? $count"

# Has, unset.
satchel_has "$domain" volume
expect "has" 0 $?
satchel_unset "$domain" volume
satchel_has "$domain" volume
expect "has not" 1 $?
satchel_unset "$domain" volume
expect "unset twice" 1 $?

# Names that are none do nothing.
satchel_get 'x;status=1;y' "$domain" awkward 2>/dev/null
expect "no name" 2 $?
satchel_get _satchel_text "$domain" awkward 2>/dev/null
expect "own name" 2 $?
satchel_get 1x "$domain" awkward 2>/dev/null
expect "digit" 2 $?
satchel_get value "$domain" 2>/dev/null
expect "too few" 2 $?

# Each: keys and values as they are, in order, in this shell, with the script's own standard input.
satchel_set each 'a=b \' "$awkward"
satchel_set each second "x$newline"
seen='' lines=''
visit() {
  seen="$seen<$1><$2>"
  IFS= read -r line && lines="$lines($line)"
}
satchel_each each visit <<END
one
two
END
expect "each" "<a=b \\><$awkward><second><x$newline>" "$seen"
expect "input of each" "(one)(two)" "$lines"
stop() { return 7; }
satchel_each each stop
expect "each stops" 7 $?
satchel_each none visit 2>/dev/null
expect "each of none" 1 $?
nested=''
inner() { nested="$nested $1"; }
outer() { satchel_each each inner; }
satchel_each each outer
expect "nested" ' a=b \ second a=b \ second' "$nested"

# Load: only names, behind the prefix.
satchel_set load PATH /nowhere
satchel_set load name "$awkward"
satchel_set load 'x;status=1' no
errors=$(satchel_load load MY 2>&1)
expect "load tells" 'satchel: the key "x;status=1" cannot be the name of a variable' "$errors"
satchel_load load MY 2>/dev/null
# shellcheck disable=SC2154
expect "load" "/nowhere $awkward" "$MY_PATH $MY_name"
satchel_load load '' 2>/dev/null
expect "load without a prefix" 2 $?

# A variable that nobody may change does not end the script, nor the loading of the others.
readonly OUR_b=before
for key in a b c; do satchel_set readonly "$key" "$key"; done
errors=$(satchel_load readonly OUR 2>&1)
expect "load tells of a refusal" "2 satchel: readonly: b: the variable cannot hold this text" "$? $errors"
satchel_load readonly OUR 2>/dev/null
# shellcheck disable=SC2154
expect "load goes on" "2 a before c" "$? ${OUR_a-} $OUR_b ${OUR_c-}"

# Variables that would evaluate what is assigned to them take integers only; dash has none.
evaluates() { (eval "$1=1+1 && [ \"\$$1\" = 2 ]") 2>/dev/null; }
# shellcheck disable=SC3044
typeset -i integer 2>/dev/null
if evaluates integer; then
  # shellcheck disable=SC2016
  satchel_set "$domain" code 'value[$(touch evaluated)]'
  satchel_set "$domain" number -12 int
  satchel_set "$domain" large 18446744073709551615 uint
  integer=5
  errors=$(satchel_get integer "$domain" code 2>&1)
  expect "code for an integer" "2 satchel: $domain: code: the variable cannot hold this text" "$? $errors"
  satchel_get integer "$domain" code 2>/dev/null
  expect "the integer stays" "2 5" "$? $integer"
  satchel_get integer "$domain" none "$(satchel get "$domain" code)" 2>/dev/null
  expect "code as a default" "2 5" "$? $integer"
  satchel_get integer "$domain" large 2>/dev/null
  expect "more than an integer holds" "2 5" "$? $integer"
  satchel_get integer "$domain" number
  expect "an integer" "0 -12" "$? $integer"
  # shellcheck disable=SC3044
  typeset -i MINE_code=5
  satchel_set code code "$(satchel get "$domain" code)"
  satchel_set code name "$awkward"
  satchel_load code MINE 2>/dev/null
  # shellcheck disable=SC2154
  expect "code loaded" "2 5 $awkward" "$? $MINE_code ${MINE_name-}"
fi
if [ -n "${BASH_VERSION:-}" ]; then
  # shellcheck disable=SC3044
  eval 'declare -ai integers; declare -n element="integers[0]"; integers=(5)'
  satchel_get element "$domain" code 2>/dev/null
  # shellcheck disable=SC2154
  expect "code for an element" "2 5" "$? $element"
  eval 'declare -n nowhere further=nowhere; integer=5
    itself() { local -n integer=integer; satchel_get integer "$1" "$2"; }'
  for key in code number; do
    satchel_get nowhere "$domain" $key 2>/dev/null
    # shellcheck disable=SC2154
    expect "$key for a reference without a target" "2 " "$? ${nowhere-}"
    satchel_get further "$domain" $key 2>/dev/null
    expect "$key for a reference to such a one" "2 " "$? ${nowhere-}"
  done
  itself "$domain" code 2>/dev/null
  expect "code for a reference to itself" "2 5" "$? $integer"
fi
[ ! -e evaluated ]
expect "nothing was evaluated" 0 $?

# The author is the script.
author=$(satchel list load --long | awk 'NR == 1 {print $6}')
expect "author" shell.sh "$author"
SATCHEL_PROGRAM=somebody
satchel_set load name v
author=$(satchel list load --long | awk 'NR == 2 {print $6}')
expect "named author" somebody "$author"
exit "$status"
