#!/usr/bin/env bash
# One domain, changed and read by programs in Swift, C and Python and by scripts for sh and bash, one after the other; each sees
# what the others wrote, and who wrote it. Everything happens in a throw-away folder.
. "$(dirname "$0")/lib.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=.build/demo.log
mkdir -p .build
building() {
  say "$1 ..."
  shift
  "$@" >"$log" 2>&1 || { tail -n 40 "$log" >&2; fail "the build failed; all of it is in $log"; }
}

building "building the library and the command (minutes the first time, seconds afterwards)" bash scripts/ship.sh
DESTDIR='' PREFIX=$scratch/usr bash scripts/install.sh >"$scratch/install.log"
export PATH="$scratch/usr/bin:$PATH" PKG_CONFIG_PATH=$scratch/usr/lib/pkgconfig LD_LIBRARY_PATH=$scratch/usr/lib
building "building the Swift program" swift build --package-path Examples/swift --scratch-path .build/examples
# shellcheck disable=SC2046
building "building the C program" gcc Examples/c/demo.c -o "$scratch/c-demo" $(pkg-config --cflags --libs satchel)

building "building the Python package" need_wheel
python_with_wheel "$scratch/python" --no-index
export BASH_LOADABLES_PATH=$scratch/usr/lib/bash

export XDG_CONFIG_HOME=$scratch/config
mkdir -p "$XDG_CONFIG_HOME"
domain=org.example.demo
run() {
  printf '\n$ %s\n' "$1"
  shift
  "$@"
}
run "satchel import $domain /etc/os-release --format dotenv" satchel import "$domain" /etc/os-release --format dotenv
run "Examples/swift" .build/examples/debug/swift-demo "$domain"
run "Examples/c/demo.c" "$scratch/c-demo" "$domain"
run "Examples/shell/demo.sh" sh Examples/shell/demo.sh "$domain"
run "Examples/python/demo.py" "$scratch/python/bin/python" Examples/python/demo.py "$domain"
run "Examples/shell/demo.bash" bash Examples/shell/demo.bash "$domain"
run "Examples/swift, again" .build/examples/debug/swift-demo "$domain"
run "satchel list $domain --long" satchel list "$domain" --long
