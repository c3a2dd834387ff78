#!/usr/bin/env bash
# Longer than run.sh: millions of random operations on the shipped library, then libFuzzer and the address sanitizer over a debug
# build that looks at the whole table after every change, and in which keys collide, for FUZZ_SECONDS (120). What it finds stays in
# .build/dict-fuzz/; a crash is run again by .build/dict-fuzz/fuzz .build/dict-fuzz/crash-...
here=$(dirname "$0")
. "$here/../crash/compile.sh"
top=$(cd "$here/../.." && pwd)
build=$top/.build/dict-fuzz
seconds=${FUZZ_SECONDS:-120}
bin=$(dirname "$(readlink -f "$(command -v swift)")")
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0

compile random "$SATCHEL_LIB" "$here"/{random,operations,model}.c -lm
counted random "$work/random" 100000 400 25000
counted short "$work/random" 200000 20000 100

# The library's objects, compiled for the fuzzer but not linked: the linker would want the fuzzer's own main in a library.
mkdir -p "$build/corpus"
env -u XDG_CONFIG_HOME SATCHEL_CHECKS=1 swift build -c debug --package-path "$top" --scratch-path "$build" --target SatchelABI \
  -Xswiftc "-sanitize=fuzzer,address" -Xcc "-fsanitize=address,fuzzer-no-link" >"$work/build.log" 2>&1 ||
  { cat "$work/build.log"; exit 1; }
objects=()
for folder in "$build"/debug/{CSatchelSystem,Satchel*}.build; do
  mapfile -t -O ${#objects[@]} objects < <(find "$folder" -name '*.o')
done
programs=(target random operations model ../crash/support)
for name in "${programs[@]}"; do
  "$bin/clang" -std=gnu11 -D_GNU_SOURCE -g -O1 "${warnings[@]}" -Wno-nullability-completeness -fsanitize=address -I "$top/include" -I "$crash" \
    -c "$here/$name.c" -o "$work/$(basename "$name").o"
done
"$bin/swiftc" -sanitize=fuzzer,address "$work"/{target,operations,model}.o "${objects[@]}" -o "$build/fuzz"
"$bin/swiftc" -sanitize=address "$work"/{random,operations,model,support}.o "${objects[@]}" -o "$work/checked"

counted checked "$work/checked" 300000 60 3000
fuzzing() {
  "$build/fuzz" -timeout=20 -rss_limit_mb=3000 -max_len=3000 "-artifact_prefix=$build/" "-max_total_time=$seconds" \
    -print_final_stats=1 "$build/corpus" 2>&1 | grep -vE '^(#|")'
  [ "${PIPESTATUS[0]}" = 0 ] && echo "1 passed, 0 failed"
}
counted "fuzzing for $seconds s" fuzzing
summary
