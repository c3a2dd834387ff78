#!/usr/bin/env bash
# Fuzzes the reader of the domain file: libFuzzer and AddressSanitizer over a debug build of the library, with every check of
# Swift's in place, for FUZZ_SECONDS (120). What it finds stays in .build/fuzz/: crash-* and timeout-* files, and the corpus as
# it grew; FUZZ_KEEP=1 merges what reaches new code into corpus/. A crash is run again by
#   .build/fuzz/fuzz .build/fuzz/crash-...
. "$(dirname "$0")/../../scripts/lib.sh"
here=Tests/fuzz
build=$top/.build/fuzz
seconds=${FUZZ_SECONDS:-120}
clang=$(toolchain_bin)/clang
passed=0 failed=0
# check NAME COMMAND...: one line, and what it said where it failed.
check() {
  local name=$1 log=$build/log
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
mkdir -p "$build/corpus"

# The targets are compiled but not linked: the linker would want the fuzzer's own main in a library.
instrument=(-Xswiftc "-sanitize=fuzzer,address" -Xcc "-fsanitize=address,fuzzer-no-link")
swift build -c debug --package-path "${FUZZ_PACKAGE:-.}" --scratch-path "$build" --target SatchelABI "${instrument[@]}" >"$build/log" 2>&1 ||
  { cat "$build/log"; fail "the library does not build"; }
objects=()
for target in CSatchelSystem SatchelSystem SatchelCollections SatchelValues SatchelSettings Satchel SatchelABI; do
  mapfile -t -O ${#objects[@]} objects < <(find "$build/debug/$target.build" -name '*.o')
done
compile() { "$clang" -std=gnu11 -g -O1 -Wall -Wextra -Werror -Wno-nullability-completeness -I include -c "$here/$1.c" -o "$build/$1.o" "${@:2}"; }
compile image -fsanitize=address
compile mutate -fsanitize=address
compile target -fsanitize=address
compile seeds -fsanitize=address
swiftc=$(toolchain_bin)/swiftc
"$swiftc" -sanitize=fuzzer,address "$build"/{target,mutate,image}.o "${objects[@]}" -o "$build/fuzz"
"$swiftc" -sanitize=address "$build"/{seeds,image}.o "${objects[@]}" -o "$build/seeds"

# Swift's own crash reporter would take the signals that libFuzzer reports by.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
limits=(-timeout=20 -rss_limit_mb=3000 -max_len=16384 "-artifact_prefix=$build/")
check "every seed" "$build/fuzz" "${limits[@]}" -runs=0 "$here/corpus"
check "fuzzing for $seconds s" "$build/fuzz" "${limits[@]}" "-max_total_time=$seconds" -print_final_stats=1 "$build/corpus" "$here/corpus"
grep -E '^stat::number_of_executed_units|DONE' "$build/log" | tail -n 2 || true
if [ "${FUZZ_KEEP:-}" = 1 ]; then "$build/fuzz" "${limits[@]}" -merge=1 "$here/corpus" "$build/corpus"; fi
say "$passed passed, $failed failed"
[ $failed = 0 ]
