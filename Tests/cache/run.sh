#!/usr/bin/env bash
# The weak cache of the C interface: used as the header says, by several threads and forked children at once, beside a model,
# and without memory.
here=$(dirname "$0")
. "$here/../crash/compile.sh"
export SWIFT_BACKTRACE=enable=no

model=("$here/../streams/random.c" "$here"/{operations,model}.c)
for name in use races memory; do compile "$name" "$SATCHEL_LIB" "$here/$name.c"; done
compile random "$SATCHEL_LIB" "${model[@]}"
# Memory that has been freed holds something else at once: who still looks there is found out.
MALLOC_PERTURB_=165 counted use "$work/use"
counted races "$work/races"
counted memory "$work/memory"
MALLOC_PERTURB_=165 counted random "$work/random" 1 100 4000
MALLOC_PERTURB_=165 counted short "$work/random" 2000 300 60

# The address sanitizer sees what is touched after its end, and what is freed never or twice.
sanitized=(-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined)
if compile sanitized-use "$SATCHEL_LIB" "${sanitized[@]}" "$here/use.c" &&
  compile sanitized-random "$SATCHEL_LIB" "${sanitized[@]}" "${model[@]}"; then
  export ASAN_OPTIONS=allocator_may_return_null=1
  counted sanitized-use "$work/sanitized-use"
  counted sanitized-random "$work/sanitized-random" 3000 20 2000
fi
summary
