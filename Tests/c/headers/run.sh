#!/usr/bin/env bash
# Each header compiles alone, and as often as it likes, in strict C and C++ with gcc and clang.
. "$(dirname "$0")/../../../scripts/lib.sh"
bin=$(toolchain_bin)
passed=0 failed=0
warnings=(-Wall -Wextra -pedantic -Werror -fsyntax-only -I include)
# try HEADER STANDARD LANGUAGE COMPILER...
try() {
  local header=$1 standard=$2 language=$3
  shift 3
  if printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$header" "$header" |
    "$@" "-std=$standard" "${warnings[@]}" -x "$language" -; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    say "$header does not compile: $* -std=$standard"
  fi
}
for path in include/*.h include/satchel/*.h; do
  header=${path#include/}
  for standard in c99 c11; do
    try "$header" $standard c gcc
    try "$header" $standard c "$bin/clang" -Wno-nullability-extension
  done
  try "$header" c++11 c++ g++
  try "$header" c++11 c++ "$bin/clang++" -Wno-nullability-extension
done
say "$passed passed, $failed failed"
[ $failed = 0 ]
