#!/usr/bin/env bash
# Fails on any function missing from the library and on any extra one: headers, abi/symbols.txt and the library agree.
# check-exports.sh [LIBRARY]
. "$(dirname "$0")/lib.sh"
library=${1:-$stage/lib/$soname}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0

# same A B WORDS-FOR-ONLY-IN-A WORDS-FOR-ONLY-IN-B
same() {
  comm -23 "$1" "$2" | sed "s|^|$3: |" >"$scratch/differences"
  comm -13 "$1" "$2" | sed "s|^|$4: |" >>"$scratch/differences"
  [ ! -s "$scratch/differences" ] || { cat "$scratch/differences" >&2; status=1; }
}

bash scripts/exported.sh >"$scratch/headers"
grep -vE '^(#|\[|$)' abi/symbols.txt >"$scratch/listed"
sort -u "$scratch/listed" >"$scratch/sorted"
cmp -s "$scratch/listed" "$scratch/sorted" || awk '/^\[/{last = ""} !/^(#|\[|$)/{if ($0 <= last) {print "abi/symbols.txt: not in order: " $0; bad = 1} last = $0} END{exit bad}' abi/symbols.txt >&2 || status=1
same "$scratch/headers" "$scratch/sorted" "declared in include/, not in abi/symbols.txt" "in abi/symbols.txt, not declared in include/"

# The dynamic table also has local symbols, for relocations, and the version nodes, as absolute ones: neither is exported.
readelf --dyn-syms -W "$library" | awk '$5 ~ /GLOBAL|WEAK|UNIQUE/ && $7 != "UND" && $7 != "ABS" {sub(/@.*/, "", $8); print $8}' |
  sort -u >"$scratch/exported"
same "$scratch/sorted" "$scratch/exported" "not exported by the library" "exported by the library, not in abi/symbols.txt"

[ $status = 0 ] || fail "headers, abi/symbols.txt and $(basename "$library") differ"
say "exports: $(wc -l <"$scratch/exported") functions, in the headers, the list and the library alike"
