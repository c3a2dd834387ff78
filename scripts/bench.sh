#!/usr/bin/env bash
# Measures this library and its peers in the same run; ONLY=name runs one bench.
. "$(dirname "$0")/lib.sh"
bash scripts/ship.sh >.build/bench.log 2>&1 || { tail -n 40 .build/bench.log >&2; fail "the build failed"; }
export SATCHEL_LIB=$stage/lib SATCHEL_INCLUDE=$stage/include SATCHEL_BIN=$stage/bin/satchel
exec bash Benchmarks/run.sh
