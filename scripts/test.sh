#!/usr/bin/env bash
# test.sh test|torture: runs the steps, one line each, and one summary line at the end. ONLY=name runs one step.
# A step is a script that ends with the line "N passed, N failed", or "N passed, N failed, N skipped"; what it skipped, and why,
# it says in lines that begin with "skipped". What it said is in .build/test/NAME.log, and is shown
# when it failed. Beyond the steps named here, every Tests/NAME/run.sh (or torture.sh) is one; it finds in its environment
#   SATCHEL_LIB         the folder of the shipped libsatchel.so
#   SATCHEL_INCLUDE     the folder of its headers
#   SATCHEL_BIN         the shipped command
#   SATCHEL_FAULTS_LIB  the folder of a libsatchel.so with fault points (built only for a step that mentions it)
. "$(dirname "$0")/lib.sh"
kind=${1:-test}
only=${ONLY:-}
case $kind in
  test) script=run.sh limit=900 ;;
  torture) script=torture.sh limit=7200 ;;
  *) fail "test or torture, not $kind" ;;
esac
logs=$top/.build/test
mkdir -p "$logs"
passed=0 failed=0 skipped=0 steps=0
export SATCHEL_LIB=$stage/lib SATCHEL_INCLUDE=$stage/include SATCHEL_BIN=$stage/bin/satchel
export SATCHEL_FAULTS_LIB=$top/.build/faults/release

# step NAME COMMAND...
step() {
  local name=$1 log=$logs/$1.log status=0 began=$SECONDS counts good bad left note=
  shift
  timeout --kill-after=10 "$limit" "$@" >"$log" 2>&1 </dev/null || status=$?
  counts=$(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -n 1) || true
  good=${counts%% *} bad=$(sed -E 's/.* passed, ([0-9]+) .*/\1/' <<<"$counts") left=$(sed -nE 's/.*, ([0-9]+) skipped/\1/p' <<<"$counts")
  left=${left:-0}
  # A step that cannot count, or that failed without saying so, is one case itself.
  if [ -z "$counts" ]; then good=$((status == 0)) bad=$((status != 0)); fi
  [ $status = 0 ] || [ "$bad" -gt 0 ] || bad=1
  passed=$((passed + good)) failed=$((failed + bad)) skipped=$((skipped + left)) steps=$((steps + 1))
  [ "$left" = 0 ] || note=", $left skipped"
  if [ "$bad" = 0 ]; then
    printf 'ok    %-12s %6d passed%s  %4d s\n' "$name" "$good" "$note" $((SECONDS - began))
    [ "$left" = 0 ] || grep '^skipped' "$log" | sed 's/^/      /'
    return 0
  fi
  [ $status != 124 ] || printf 'it took more than %d seconds and was stopped\n' "$limit" >>"$log"
  printf 'FAIL  %-12s %6d passed, %d failed%s  %4d s; the end of %s:\n' "$name" "$good" "$bad" "$note" $((SECONDS - began)) "${log#"$top/"}"
  tail -n 60 "$log" | sed 's/^/      /'
}
wanted() { [ -z "$only" ] || [ "$only" = "$1" ]; }

scripts=()
for path in Tests/*/"$script"; do
  [ ! -x "$path" ] || ! wanted "$(basename "$(dirname "$path")")" || scripts+=("$path")
done

if [ "$kind" = test ]; then
  ! wanted lint || step lint bash scripts/lint.sh
  ! wanted headers || step headers bash Tests/c/headers/run.sh
  ! wanted swift || step swift bash scripts/test-swift.sh
fi
if wanted ship || [ ${#scripts[@]} -gt 0 ]; then step ship bash scripts/ship.sh; fi
if [ ${#scripts[@]} -gt 0 ]; then
  # Whatever a step's own folder says about the fault points decides whether they are built.
  for path in "${scripts[@]}"; do
    if grep -rqF SATCHEL_FAULTS_LIB "$(dirname "$path")"; then
      step faults env SATCHEL_FAULTS=1 swift build -c release "${strict[@]}" --product satchel --scratch-path .build/faults
      break
    fi
  done
  for path in "${scripts[@]}"; do step "$(basename "$(dirname "$path")")" "$path"; done
fi

[ $steps -gt 0 ] || fail "no step is called $only"
say "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
