# shellcheck shell=bash
# Shared by the run.sh of the C tests: compiling against the library that the environment names, running, counting.
#   SATCHEL_LIB, SATCHEL_INCLUDE, SATCHEL_BIN, SATCHEL_FAULTS_LIB   as scripts/test.sh says
# Source it, after setting `here` to the folder of the sources.

set -euo pipefail
crash=$(dirname "${BASH_SOURCE[0]}")
: "${SATCHEL_LIB:?the folder of libsatchel.so}" "${SATCHEL_INCLUDE:?the folder of its headers}"
work=$(mktemp -d "${TMPDIR:-/tmp}/satchel-tests-XXXXXX")
trap 'rm -rf "$work"' EXIT
# Domains of the user who runs the tests are nobody's business here.
export HOME=$work/home XDG_CONFIG_HOME=
mkdir -p "$work/home"
passed=0 failed=0 skipped=0

runtime=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")/lib/swift/linux
warnings=(-Wall -Wextra -Werror)

# compile PROGRAM LIBRARY-FOLDER [FLAGS...] SOURCES...: the sources that are C files, the rest flags.
compile() {
  local program=$1 library=$2
  shift 2
  gcc -std=c11 -O2 -g -D_GNU_SOURCE "${warnings[@]}" -pthread -I "$SATCHEL_INCLUDE" -I "$crash" "$@" "$crash/support.c" \
    -o "$work/$program" -L "$library" -lsatchel "-Wl,-rpath,$library" "-Wl,-rpath,$runtime"
}

# counted NAME COMMAND...: runs it, shows what it says, adds up its last line "NAME: N passed, N failed, N skipped".
counted() {
  local name=$1 status=0 line good bad left
  shift
  "$@" >"$work/$name.log" 2>&1 </dev/null || status=$?
  line=$(grep -E '(^|: )[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$work/$name.log" | tail -n 1 | sed -E 's/^.*: //') || true
  cat "$work/$name.log"
  good=${line%% *} bad=$(sed -E 's/.* passed, ([0-9]+) .*/\1/' <<<"$line") left=$(sed -nE 's/.*, ([0-9]+) skipped/\1/p' <<<"$line")
  if [ -z "$line" ]; then
    printf 'FAIL %s: ended with %d and without a count\n' "$name" "$status"
    good=0 bad=1
  fi
  if [ "$status" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
  passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + ${left:-0}))
}

# The last line of every run.
summary() {
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  [ "$failed" = 0 ]
}
