#!/usr/bin/env bash
# Ordered dictionaries at length: ORDERED_STEPS (2,000,000) random operations for each kind of key as the library is shipped, fewer of
# them with the invariants looked at after each change, with AddressSanitizer and with ThreadSanitizer; then libFuzzer for
# FUZZ_SECONDS (120). What the fuzzer finds stays in .build/ordered-fuzz/.
. "$(dirname "$0")/../../scripts/lib.sh"
steps=${ORDERED_STEPS:-2000000}
seed=${ORDERED_SEED:-$RANDOM}
seconds=${FUZZ_SECONDS:-120}
export SWIFT_BACKTRACE=enable=no
passed=0 failed=0
say "seed $seed"
# check NAME COMMAND...: one line, and what it said where it failed.
check() {
  local name=$1 log=.build/ordered.log
  shift
  if "$@" >"$log" 2>&1; then
    passed=$((passed + 1))
    say "ok    $name"
  else
    failed=$((failed + 1))
    say "FAIL  $name"
    grep -vE '^#[0-9]+[[:space:]]' "$log" | tail -n 60
  fi
}

# runs NAME STEPS ARGUMENTS...: a build of its own, with the arguments, and the long runs in it.
runs() {
  local scratch=.build/ordered-$1 steps=$2
  shift 2
  local build=(swift build "${strict[@]}" --scratch-path "$scratch" --product ordered-torture "$@")
  "${build[@]}" && "$("${build[@]}" --show-bin-path)/ordered-torture" "$steps" "$seed"
}
checked() { SATCHEL_CHECKS=1 runs "$@"; }

fuzz() {
  local scratch=$top/.build/ordered-fuzz objects=()
  swift build -c debug --scratch-path "$scratch" --target CollectionsSupport -Xswiftc -sanitize=fuzzer,address || return
  for target in CSatchelSystem SatchelSystem SatchelCollections CollectionsSupport; do
    mapfile -t -O ${#objects[@]} objects < <(find "$scratch/debug/$target.build" -name '*.o')
  done
  swiftc -parse-as-library -sanitize=fuzzer,address -I "$scratch/debug/Modules" \
    -Xcc "-fmodule-map-file=$scratch/debug/CSatchelSystem.build/module.modulemap" Tests/ordered/fuzz.swift "${objects[@]}" -o "$scratch/fuzz" || return
  mkdir -p "$scratch/corpus"
  ASAN_OPTIONS=detect_leaks=0 "$scratch/fuzz" -timeout=20 -max_len=8192 -len_control=0 "-artifact_prefix=$scratch/" \
    "-max_total_time=$seconds" -print_final_stats=1 "$scratch/corpus"
}

check "as it is shipped" runs release "$steps" -c release
check "with invariants" checked checks $((steps / 10)) -c release
check "with AddressSanitizer" runs address $((steps / 10)) -c release --sanitize address
check "with ThreadSanitizer" runs thread $((steps / 10)) -c release --sanitize thread
check "fuzzing for $seconds s" fuzz
say "$passed passed, $failed failed"
[ $failed = 0 ]
