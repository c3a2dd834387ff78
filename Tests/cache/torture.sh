#!/usr/bin/env bash
# Longer than run.sh, and against the library as the sanitizers want it built: address, then threads, each with the library's
# own checks of its tables after every change. What run.sh cannot see of the inside is seen here. Then the fuzzer, for
# FUZZ_SECONDS (120).
here=$(dirname "$0")
. "$here/../streams/fuzzing.sh"
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=halt_on_error=1

# sanitized KIND: builds the library's objects with that sanitizer, and the programs with them.
sanitized() {
  local kind=$1 build=$top/.build/cache-$1 objects=() flags=() target name
  [ "$kind" != thread ] || flags=(-DNO_FORKS)
  env -u XDG_CONFIG_HOME SATCHEL_CHECKS=1 swift build -c debug --package-path "$top" --scratch-path "$build" --target SatchelABI \
    -Xswiftc "-sanitize=$kind" -Xcc "-fsanitize=$kind" >"$work/build.log" 2>&1 || { cat "$work/build.log"; return 1; }
  for target in "$build"/debug/{CSatchelSystem,Satchel*}.build; do
    mapfile -t -O ${#objects[@]} objects < <(find "$target" -name '*.o')
  done
  for name in use races ../crash/support; do
    "$bin/clang" -std=gnu11 -D_GNU_SOURCE -O1 -g "${warnings[@]}" "${flags[@]}" -Wno-nullability-completeness "-fsanitize=$kind" -I "$SATCHEL_INCLUDE" \
      -c "$here/$name.c" -o "$work/$kind-$(basename "$name").o" || return
  done
  for name in use races; do
    "$bin/swiftc" "-sanitize=$kind" "$work/$kind-$name.o" "$work/$kind-support.o" "${objects[@]}" -o "$work/$kind-$name" || return
  done
}

for name in use races; do compile "$name" "$SATCHEL_LIB" "$here/$name.c"; done
counted use "$work/use" 20000000
counted races "$work/races" 1000000
compile random "$SATCHEL_LIB" "$streams/random.c" "$here"/{operations,model}.c
counted random "$work/random" 100000 400 25000
counted short "$work/random" 200000 20000 100
for kind in address thread; do
  sanitized $kind
  counted "$kind-use" "$work/$kind-use" 1000000
  counted "$kind-races" "$work/$kind-races" 40000
done

fuzzed_programs
counted checked "$work/checked" 300000 60 3000
counted "fuzzing for $seconds s" fuzzing
summary
