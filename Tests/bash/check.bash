# What the cases share; source it first. It loads the builtin.
# shellcheck shell=bash
passed=0 failed=0
enable -f "$SATCHEL_BUILTIN" satchel || exit

# expect WHAT WANTED GOT
expect() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAIL %s: expected <%q>, got <%q>\n' "$1" "$2" "$3"
  fi
}

# The command, never the builtin.
program() { "$SATCHEL_BIN" "$@"; }

finish() {
  printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
  [ "$failed" = 0 ]
  exit
}
