#!/usr/bin/env bash
# The C interface as a C program sees it: used as the headers say, used as no one should, and awkward values there and back,
# through the command as well.
here=$(dirname "$0")
. "$here/../crash/compile.sh"
export SWIFT_BACKTRACE=enable=no

# What the headers promise to strict C99 is tried in strict C99.
gcc -std=c99 -pedantic -O2 -g "${warnings[@]}" -I "$SATCHEL_INCLUDE" -I "$crash" -c "$here/conformance.c" -o "$work/conformance.o"
compile conformance "$SATCHEL_LIB" "$work/conformance.o" -lm
compile hostile "$SATCHEL_LIB" "$here/hostile.c"
compile values "$SATCHEL_LIB" "$here/values.c" -lm
counted conformance "$work/conformance"
counted hostile "$work/hostile"
counted values "$work/values" "$here/../values.txt" ${SATCHEL_BIN:+"$SATCHEL_BIN"}

# The same with the address sanitizer on this side: it sees what the library reads or writes of the caller's memory through
# the C library's functions, and what it hands out and takes back. The sanitizer comes first, and knows nothing of Swift's own
# memory, so leaks are not asked for.
sanitized=(-fsanitize=address -fsanitize=undefined -fno-sanitize-recover=undefined)
if compile sanitized-hostile "$SATCHEL_LIB" "${sanitized[@]}" "$here/hostile.c" &&
  compile sanitized-values "$SATCHEL_LIB" "${sanitized[@]}" "$here/values.c" -lm; then
  export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
  counted sanitized-hostile "$work/sanitized-hostile"
  counted sanitized-values "$work/sanitized-values" "$here/../values.txt"
fi

# No function is left out of what is tried.
symbols=$here/../../abi/symbols.txt
while read -r symbol; do
  if grep -qwF "$symbol" "$here"/../*/hostile.c; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAIL no hostile.c calls %s\n' "$symbol"
  fi
done < <(grep -E '^satchel_' "$symbols")
summary
