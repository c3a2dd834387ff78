# Sub-shells and forks with open domains, kills in the middle, descriptors, loading and unloading.
# shellcheck shell=bash disable=SC2016,SC2030,SC2031,SC2034,SC2123,SC2154 source=../check.bash
. "${BASH_SOURCE[0]%/*}/../check.bash"

# Eight at once, half of them with a domain that was open before.
satchel set d before 1 --type int
for worker in {1..8}; do
  (
    for ((i = 0; i < 250; i++)); do satchel add d sum >/dev/null || exit; done
    satchel set d "done$worker" yes
  ) &
done
for ((i = 0; i < 250; i++)); do satchel add d sum -v last; done
wait
expect "an exact sum" 2250 "$(satchel get d sum)"
expect "each wrote its own" 8 "$(satchel list d --keys --prefix 'done' | wc -l)"
expect "sound" "d: sound" "$(satchel doctor d | cut -d ';' -f 1)"

# Parent and child take turns.
for ((i = 0; i < 20; i++)); do
  satchel set d turn "$i"
  child=$(satchel get d turn && satchel set d turn "child $i" && satchel get d turn)
  expect "turn $i" "$i"$'\n'"child $i child $i" "$child $(satchel get d turn)"
done
satchel list d | while IFS='=' read -r key _; do satchel set copy "$key" 1; done
expect "a pipeline" "$(satchel list d --keys)" "$(satchel list copy --keys)"

# Killed in the middle: what was acknowledged is there.
for round in {1..12}; do
  mkfifo "pipe$round"
  bash -c 'enable -f "$1" satchel || exit; while satchel add kill n -v n; do printf "%s\n" "$n" >&3; done' \
    bash "$SATCHEL_BUILTIN" 3>"pipe$round" &
  victim=$!
  acknowledged=0
  while IFS= read -r number; do
    acknowledged=$number
    [ $((acknowledged % 100)) != $((round * 7)) ] || kill -9 $victim
  done <"pipe$round"
  wait $victim 2>/dev/null
  satchel get kill n -v stored
  expect "round $round: $acknowledged acknowledged" yes "$([ "$stored" -ge "$acknowledged" ] && [ "$stored" -le $((acknowledged + 1)) ] && echo yes)"
done

# A script's own files never come in the place of an open domain.
satchel set low k v
for number in 3 4 5 6 7 8 9; do
  eval "exec $number>own$number"
  satchel set low k "$number"
done
for ((i = 0; i < 3000; i++)); do satchel set low "k$((i % 50))" "$i"; done
program compact low
satchel set low k last
for number in 3 4 5 6 7 8 9; do
  eval "printf mine >&$number; exec $number>&-"
  expect "descriptor $number" mine "$(cat "own$number")"
done
expect "the domain beside them" "last low: sound" "$(program get low k) $(program doctor low | cut -d ';' -f 1)"

# Loaded and unloaded, nothing stays open.
open_files() { (cd "/proc/$BASHPID/fd" && find . -lname '*.satchel' | wc -l); }
expect "open domains are kept" yes "$([ "$(open_files)" -gt 0 ] && echo yes)"
for ((i = 0; i < 5; i++)); do
  enable -d satchel
  expect "unloaded: files" 0 "$(open_files)"
  expect "unloaded: the command" file "$(type -t satchel)"
  enable -f "$SATCHEL_BUILTIN" satchel
  satchel get low k >/dev/null
done
expect "its help" "satchel: satchel COMMAND [WORD ...] [-v NAME] [-a NAME] [-A NAME]" "$(help satchel | head -n 1)"

# Memory does not grow.
resident() { awk '/^VmRSS/ {print $2}' "/proc/$BASHPID/status"; }
satchel set low map --type json '{"a":[1,2,3],"b":"text"}'
satchel set low list --type json '["a","b"]'
work() {
  local i value
  local -a list
  local -A map
  for ((i = 0; i < $1; i++)); do
    satchel get low map -A map
    satchel get low list -a list
    satchel get low none
    satchel get low k -v value
    satchel set low n "$i" --if-equals nothing
    satchel get low map -a list 2>/dev/null
    satchel list low -A map --prefix l
    satchel add low sum -v value
  done
}
work 300
before=$(resident)
work 3000
expect "memory" yes "$([ $(($(resident) - before)) -lt 2048 ] && echo yes || echo "$before $(resident)")"
finish
