#!/usr/bin/env bash
# The dictionary as a C program sees it: used as the header says, used as no one should, without memory, and beside a model.
here=$(dirname "$0")
. "$here/../crash/compile.sh"
export SWIFT_BACKTRACE=enable=no

gcc -std=c99 -pedantic -O2 -g "${warnings[@]}" -I "$SATCHEL_INCLUDE" -I "$crash" -c "$here/conformance.c" -o "$work/conformance.o"
compile conformance "$SATCHEL_LIB" "$work/conformance.o" -lm
compile hostile "$SATCHEL_LIB" "$here/hostile.c"
compile memory "$SATCHEL_LIB" "$here/memory.c"
model=("$here/../streams/random.c" "$here"/{operations,model}.c)
compile random "$SATCHEL_LIB" "${model[@]}" -lm
counted conformance "$work/conformance"
counted hostile "$work/hostile"
counted memory "$work/memory"
counted random "$work/random" 1 100 4000
counted short "$work/random" 2000 300 60

# The address sanitizer on this side sees what comes from and goes to the C library's malloc, which is all that a dictionary has.
sanitized=(-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined)
if compile sanitized-conformance "$SATCHEL_LIB" "${sanitized[@]}" "$here/conformance.c" -lm &&
  compile sanitized-hostile "$SATCHEL_LIB" "${sanitized[@]}" "$here/hostile.c" &&
  compile sanitized-random "$SATCHEL_LIB" "${sanitized[@]}" "${model[@]}" -lm; then
  export ASAN_OPTIONS=allocator_may_return_null=1
  counted sanitized-conformance "$work/sanitized-conformance"
  counted sanitized-hostile "$work/sanitized-hostile"
  counted sanitized-random "$work/sanitized-random" 3000 20 2000
fi
summary
