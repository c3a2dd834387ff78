#!/usr/bin/env bash
# The linker's version script, made from abi/symbols.txt: each [NODE] inherits from the one before it.
. "$(dirname "$0")/lib.sh"
awk '
  /^#/ || /^[[:space:]]*$/ { next }
  /^\[/ {
    parent = node == "" ? "" : " " node
    if (node != "") print "}" before ";"
    before = parent; node = substr($0, 2, length($0) - 2)
    print node " {\n  global:"
    next
  }
  { print "    " $0 ";" }
  END { print "  local: *;\n}" before ";" }
' abi/symbols.txt
