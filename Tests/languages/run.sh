#!/usr/bin/env bash
# Four languages on one domain at once: sums, comparisons and transactions are exact, values mean the same to all, and what a
# killed one had acknowledged is there for the others.
. "$(dirname "$0")/../../scripts/lib.sh"
here=$top/Tests/languages
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# check WHAT COMMAND...
check() {
  local what=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); say "FAIL $what"; fi
}

swift build "${strict[@]}" --product language-worker
swift_worker=$(swift build --show-bin-path)/language-worker
gcc -std=c11 -O2 -Wall -Wextra -Werror -o "$work/worker" "$here/worker.c" -I"$stage/include" -L"$stage/lib" -Wl,-rpath,"$stage/lib" -lsatchel
python_with_wheel "$work/python" --no-index
export SATCHEL_BUILTIN=$stage/lib/bash/satchel.so
export PATH="$stage/bin:$PATH" XDG_CONFIG_HOME=$work/config SATCHEL_VALUES=$top/Tests/values.txt
mkdir "$XDG_CONFIG_HOME"
domain=org.example.languages
languages="swift c python bash"

# worker LANGUAGE VERB ARGUMENT
worker() {
  local language=$1 words=("$2" "${domain}" "$3")
  case $language in
    swift) exec "$swift_worker" "${words[@]}" ;;
    c) exec "$work/worker" "${words[@]}" ;;
    python) exec "$work/python/bin/python" "$here/worker.py" "${words[@]}" ;;
    bash) exec bash "$here/worker.bash" "${words[@]}" ;;
  esac
}

# together VERB TIMES BASH_TIMES: two processes of each language at once; the last one's failure is the result.
together() {
  local language pids=() pid status=0
  for language in $languages $languages; do
    times=$2
    [ "$language" != bash ] || times=$3
    (worker "$language" "$1" "$times") &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do wait "$pid" || status=1; done
  return $status
}
is() { [ "$(satchel get "$domain" "$1")" = "$2" ] || { say "$1 is $(satchel get "$domain" "$1"), not $2"; return 1; }; }

check "adding together" together add 2000 200
check "the sum is exact" is sum $((6 * 2000 + 2 * 200))
check "comparing together" together compare 200 40
check "no comparison went wrong" is compared $((6 * 200 + 2 * 40))
check "transactions together" together pair 200 40
check "no half of one" test "$(satchel get "$domain" pair.a)" = "$(satchel get "$domain" pair.b)"

says_nothing() {
  local said status=0
  said=$("$@" 2>&1) || status=1
  [ -z "$said" ] || { say "$said"; status=1; }
  return $status
}
for writer in $languages; do
  check "$writer writes every value" says_nothing worker "$writer" write "by.$writer"
  for reader in $languages; do
    check "$reader reads what $writer wrote" says_nothing worker "$reader" check "by.$writer"
  done
done
satchel compact "$domain" 2>/dev/null
for reader in $languages; do check "$reader reads it compacted" says_nothing worker "$reader" check by.c; done

# What it said it wrote is there, and at most one more.
acknowledged() { # acknowledged LANGUAGE
  local pid last stored
  rm -f "$work/said"
  (worker "$1" count "count.$1") >"$work/said" &
  pid=$!
  for _ in {1..1000}; do [ ! -s "$work/said" ] || break; sleep 0.01; done
  sleep "0.0$((RANDOM % 10))"
  kill -KILL $pid
  wait $pid 2>/dev/null
  # Its last line may have been cut.
  last=$(awk 'BEGIN {RS = "\n"} {line = $0} END {print line}' "$work/said")
  stored=$(satchel get "$domain" "count.$1")
  [ "$stored" -ge "${last:-0}" ] || { say "$1 said $last, and $stored is there"; return 1; }
  satchel unset "$domain" "count.$1"
}
for round in 1 2 3 4 5; do
  for language in $languages; do check "kill -9 of $language, round $round" acknowledged "$language"; done
done

say "$passed passed, $failed failed"
[ $failed = 0 ]
