#!/usr/bin/env bash
# Replays the corpus on the shipped library: what the fuzzer of torture.sh once found stays mended.
here=$(dirname "$0")
. "$here/../crash/compile.sh"
export SWIFT_BACKTRACE=enable=no
compile replay "$SATCHEL_LIB" "$here/replay.c" "$here/target.c" "$here/image.c"
counted corpus "$work/replay" "$here"/corpus/*
summary
