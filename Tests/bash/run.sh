#!/usr/bin/env bash
# The bash builtin: the transcripts of the command once more, through the builtin inside one bash, where every answer, exit
# code and message has to be the same; then what only a builtin can get wrong, in cases/.
. "$(dirname "$0")/../../scripts/lib.sh"
export SATCHEL_LIB=${SATCHEL_LIB:-$stage/lib} SATCHEL_BIN=${SATCHEL_BIN:-$stage/bin/satchel}
export SATCHEL_BUILTIN=$SATCHEL_LIB/bash/satchel.so SATCHEL_VALUES=$top/Tests/values.txt HOLD=$top/Tests/cli/hold.py
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
ln -s "$SATCHEL_BIN" "$scratch/bin/satchel"
passed=0 failed=0 skipped=0

# counted NAME COMMAND...: adds up what its last line counts.
counted() {
  local name=$1 status=0 counts good bad left
  shift
  "$@" >"$scratch/said" 2>&1 </dev/null || status=$?
  counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$scratch/said" | tail -n 1) || counts="0 passed, 0 failed, 0 skipped"
  IFS=' ' read -r good _ bad _ left _ <<<"$counts"
  if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
  passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left))
  grep '^skipped' "$scratch/said" || true
  [ "$bad" = 0 ] || { say "FAIL $name"; sed 's/^/  /' "$scratch/said"; }
}

counted transcripts python3 Tests/cli/transcripts.py --builtin add doctor domains environment export get import keys list \
  output permissions set unset usage values waiting
for case in Tests/bash/cases/*.bash; do
  name=$(basename "$case" .bash)
  mkdir "$scratch/$name"
  counted "$name" env -C "$scratch/$name" -u SATCHEL_PROGRAM HOME="$scratch/$name" XDG_CONFIG_HOME="$scratch/$name/config" \
    PATH="$scratch/bin:$PATH" timeout --kill-after=5 120 bash "$top/$case"
done

say "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
