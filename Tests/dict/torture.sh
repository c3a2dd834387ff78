#!/usr/bin/env bash
# Longer than run.sh: millions of random operations on the shipped library, then the fuzzer, for FUZZ_SECONDS (120).
here=$(dirname "$0")
. "$here/../streams/fuzzing.sh"
export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0

compile random "$SATCHEL_LIB" "$streams/random.c" "$here"/{operations,model}.c -lm
counted random "$work/random" 100000 400 25000
counted short "$work/random" 200000 20000 100

fuzzed_programs
counted checked "$work/checked" 300000 60 3000
counted "fuzzing for $seconds s" fuzzing
summary
