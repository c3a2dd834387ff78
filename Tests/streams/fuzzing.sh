# shellcheck shell=bash
# Shared by the torture.sh of what is tried by streams of operations: libFuzzer and the address sanitizer over a debug build that
# looks at the whole table after every change, and in which keys collide, for FUZZ_SECONDS (120). What it finds stays in
# .build/NAME-fuzz/; a crash is run again by .build/NAME-fuzz/fuzz .build/NAME-fuzz/crash-...
# Source it in the place of compile.sh, with `here` the folder, called NAME, of operations.c and model.c.

streams=$(dirname "${BASH_SOURCE[0]}")
. "$streams/../crash/compile.sh"
: "${here:?the folder of the sources}"
top=$(cd "$streams/../.." && pwd)
build=$top/.build/$(basename "$(cd "$here" && pwd)")-fuzz
seconds=${FUZZ_SECONDS:-120}
bin=$(dirname "$(readlink -f "$(command -v swift)")")

# The library's objects, compiled for the fuzzer but not linked: the linker would want the fuzzer's own main in a library.
fuzzed_objects() {
  mkdir -p "$build/corpus"
  env -u XDG_CONFIG_HOME SATCHEL_CHECKS=1 swift build -c debug --package-path "$top" --scratch-path "$build" --target SatchelABI \
    -Xswiftc "-sanitize=fuzzer,address" -Xcc "-fsanitize=address,fuzzer-no-link" >"$work/build.log" 2>&1 ||
    { cat "$work/build.log"; return 1; }
  mapfile -t objects < <(find "$build"/debug/{CSatchelSystem,Satchel*}.build -name '*.o')
}

# fuzzed_programs: $build/fuzz, and $work/checked, which takes what `random` takes.
fuzzed_programs() {
  local path objects=()
  fuzzed_objects || return
  for path in "$streams"/{target,random}.c "$here"/{operations,model}.c "$crash/support.c"; do
    "$bin/clang" -std=gnu11 -D_GNU_SOURCE -g -O1 "${warnings[@]}" -Wno-nullability-completeness -fsanitize=address \
      -I "$SATCHEL_INCLUDE" -I "$crash" -c "$path" -o "$work/$(basename "$path" .c).o" || return
  done
  "$bin/swiftc" -sanitize=fuzzer,address "$work"/{target,operations,model}.o "${objects[@]}" -o "$build/fuzz" || return
  "$bin/swiftc" -sanitize=address "$work"/{random,operations,model,support}.o "${objects[@]}" -o "$work/checked"
}

fuzzing() {
  "$build/fuzz" -timeout=20 -rss_limit_mb=3000 -max_len=3000 "-artifact_prefix=$build/" "-max_total_time=$seconds" \
    -print_final_stats=1 "$build/corpus" 2>&1 | grep -vE '^(#|")'
  [ "${PIPESTATUS[0]}" = 0 ] && echo "1 passed, 0 failed"
}
