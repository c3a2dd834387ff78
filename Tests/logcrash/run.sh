#!/usr/bin/env bash
# Dumps and assertions of a log as a C program has them, and what a program that ends by a signal leaves in it.
here=$(dirname "$0")
. "$here/../crash/compile.sh"
export SWIFT_BACKTRACE=enable=no

for name in dumps hostile crashes allocator; do
  compile "$name" "$SATCHEL_LIB" "$here/$name.c" "$here/scratch.c" -fno-omit-frame-pointer -lm
done
# The same file twice: with its assertions, and without.
gcc -std=c99 -O2 -g "${warnings[@]}" -pedantic -I "$SATCHEL_INCLUDE" -c "$here/asserts.c" -o "$work/asserts.o"
gcc -std=c99 -O2 -g "${warnings[@]}" -pedantic -I "$SATCHEL_INCLUDE" -DSATCHEL_LOG_NO_ASSERT -c "$here/asserts.c" -o "$work/no-asserts.o"
g++ -std=c++11 -fsyntax-only "${warnings[@]}" -pedantic -I "$SATCHEL_INCLUDE" -x c++ "$here/uses.cpp"
compile assertions "$SATCHEL_LIB" "$here/assertions.c" "$here/scratch.c" "$work/asserts.o" "$work/no-asserts.o"
gcc -std=c11 -O2 -D_GNU_SOURCE "${warnings[@]}" "$here/loading.c" -o "$work/loading"

counted dumps "$work/dumps" "$here/../dumps.txt"
counted hostile "$work/hostile"
counted assertions "$work/assertions"
counted crashes "$work/crashes"
counted allocator "$work/allocator"
counted loading "$work/loading" "$SATCHEL_LIB/libsatchel.so.0"
SWIFT_BACKTRACE=enable=yes counted loading-with-backtraces "$work/loading" "$SATCHEL_LIB/libsatchel.so.0"
summary
