#!/usr/bin/env bash
# The functions that include/ declares SATCHEL_API, one a line, sorted.
. "$(dirname "$0")/lib.sh"
# The preprocessor takes out the comments and expands nothing; the last word before a declaration's parenthesis is its name.
for header in include/satchel/*.h; do gcc -fpreprocessed -dD -E -P -w -x c "$header"; done | sed '/^ *#/d' | tr '\n' ' ' |
  grep -oE 'SATCHEL_API[^(;{]*\(' | grep -oE '[A-Za-z0-9_]+\($' | tr -d '(' | sort -u
