# The shell's own rules: set -e and -u, traps, interrupts, standard input.
# shellcheck shell=bash disable=SC2016,SC2030,SC2031,SC2034,SC2123,SC2154 source=../check.bash
. "${BASH_SOURCE[0]%/*}/../check.bash"
satchel set d k v

# script TEXT: runs it in a new bash with the builtin; what it says, and its exit code.
script() {
  bash -c "enable -f '$SATCHEL_BUILTIN' satchel; $1" bash 2>&1
  echo $?
}
# Each with the builtin and with the command.
same() {
  expect "$1" "$(bash -c "$1" bash 2>&1; echo $?)" "$(script "$1")"
}
same 'set -e; satchel get d none; echo never'
same 'set -e; satchel get d none || echo no; satchel get d k; echo end'
same 'set -e; if satchel get d none; then echo yes; else echo no; fi'
same 'set -e; ! satchel get d none; echo end'
same 'set -eu; satchel help nothing 2>/dev/null; echo never'
same 'set -eu; if satchel help nothing 2>/dev/null; then echo yes; fi; echo end'
same 'set -e; satchel gte d k || echo no'
same 'set -eu; x=$(satchel get d k); echo "$x"; y=$(satchel get d none); echo never'
same 'set -o pipefail; satchel get d none | cat; echo $?'
same 'trap "echo ERR" ERR; satchel get d none; satchel help nothing 2>/dev/null; echo end'
same 'set -f; satchel get d k; IFS=v; satchel get d k'
same 'satchel get d k >&-; echo $?'
same 'f() { local XDG_CONFIG_HOME=/nowhere; satchel get d k; echo $?; }; f; satchel get d k'
same 'printf "a\nb\n" | { satchel set d in --stdin; satchel get d in; }'
same 'satchel set d in --stdin < /nonexistent; echo $?; satchel set d in --stdin < .; echo $?'
same 'SATCHEL_PROGRAM=x satchel list d --keys'
same 'cd /; satchel get d k; satchel help get | head -n 1'
same 'alias satchel=false; satchel get d k'
expect "set -u" $'v\n0' "$(script 'set -u; satchel get d k -v fresh; echo "$fresh"')"
expect "set -x says no more" $'+ satchel get d k\nv\n0' "$(script 'set -x; satchel get d k')"

# The rest of a script that comes through standard input is the value, as it is for the command.
printf 'satchel set d rest --stdin\nthe rest\n' | bash
expect "with the command" "the rest" "$(satchel get d rest)"
{ printf 'enable -f %s satchel\nsatchel set d rest2 --stdin\n' "$SATCHEL_BUILTIN"; printf 'the rest\n'; } >rest
bash <rest
expect "with the builtin" "the rest" "$(satchel get d rest2)"

# Interrupted while others hold the lock, and while it reads: at once, long before its time is over.
interrupted() { # interrupted WHAT SCRIPT
  mkfifo ready
  env --default-signal=INT bash -c "enable -f '$SATCHEL_BUILTIN' satchel; trap 'echo trapped' INT; echo >ready; $2; echo \$?" >answer 2>&1 &
  local shell=$!
  read -r _ <ready
  rm ready
  while kill -INT $shell 2>/dev/null; do sleep 0.2; done
  wait $shell
  expect "$1" "trapped 130" "$(sort -u answer | sort -r | xargs)"
}
mkfifo end held
python3 "$HOLD" d <end >held &
exec 3>end
read -r line <held
expect "the lock is held" held "$line"
interrupted "a wait" 'satchel set d k w --timeout 100'
interrupted "an addition" 'satchel add d sum --timeout 100'
expect "a time-out" "9 satchel: d: k: others held the lock all the time that was allowed; process N (python) has it now" \
  "$(satchel set d k w --timeout 0.1 2>&1 | sed 's/process [0-9]* (python[0-9.]*)/process N (python)/; s/ (\/.*)//' | head -n 1 | sed 's/^/9 /')"
satchel set d k w --timeout 0 2>/dev/null
expect "no time at all" 9 $?
expect "reading goes on" v "$(satchel get d k)"
exec 3>&-
wait
mkfifo input
exec 4<>input
interrupted "standard input" 'satchel set d k --stdin <&4'
expect "nothing was changed" v "$(satchel get d k)"
finish
