#!/usr/bin/env bash
# The weak cache of the C interface: used as the header says, and by several threads and forked children at once.
here=$(dirname "$0")
. "$here/../crash/compile.sh"
export SWIFT_BACKTRACE=enable=no

for name in use races; do
  compile "$name" "$SATCHEL_LIB" "$here/$name.c"
  counted "$name" "$work/$name"
done
# The address sanitizer sees what is touched after its end, and what is freed never or twice.
if compile sanitized-use "$SATCHEL_LIB" -fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined "$here/use.c"; then
  ASAN_OPTIONS=allocator_may_return_null=1 counted sanitized-use "$work/sanitized-use"
fi
summary
