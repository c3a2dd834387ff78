#!/usr/bin/env bash
# What the README shows, and that of the Python package, run as it stands there.
. "$(dirname "$0")/../../scripts/lib.sh"
passed=0 failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# block LANGUAGE WORDS: the first block of that language that has these words in it.
block() {
  awk -v language="$1" -v words="$2" '
    /^```/ { if (inside) { if (index(text, words)) { printf "%s", text; exit } inside = 0 } else if ($0 == "```" language) { inside = 1; text = "" } next }
    inside { text = text $0 "\n" }' README.md
}
# try WHAT COMMAND...
try() {
  local what=$1 status
  shift
  # Not as a condition: there a failing step would not end it.
  set +e
  (set -e; "$@") >"$work/said" 2>&1
  status=$?
  set -e
  if [ $status = 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    say "FAIL $what"
    sed 's/^/     /' "$work/said"
  fi
}

DESTDIR='' PREFIX=$work/usr bash scripts/install.sh >/dev/null
export PATH="$work/usr/bin:$PATH" PKG_CONFIG_PATH=$work/usr/lib/pkgconfig LD_LIBRARY_PATH=$work/usr/lib XDG_CONFIG_HOME=$work/config
mkdir "$XDG_CONFIG_HOME"

shell_example() {
  block sh 'satchel set' >"$work/example.sh"
  [ -s "$work/example.sh" ]
  (cd "$work" && sh -e ./example.sh)
  [ "$(satchel get org.example.player volume)" = 0.5 ]
}
c_example() {
  block c satchel.h >"$work/player.c"
  [ -s "$work/player.c" ]
  compile=$(block sh 'cc player.c')
  (cd "$work" && sh -c "$compile" && ./a.out)
  [ "$(satchel get org.example.player volume)" = 0.25 ]
}
# What another program left there in another type is not written over, and an error says where it is.
c_example_refused() {
  satchel set org.example.player volume loud
  if "$work/a.out" >"$work/refused" 2>&1; then return 1; fi
  grep -F "$XDG_CONFIG_HOME/satchel/org.example.player.satchel" "$work/refused"
  [ "$(satchel get org.example.player volume)" = loud ]
  if HOME=$work/none XDG_CONFIG_HOME='' "$work/a.out" >"$work/refused" 2>&1; then return 1; fi
  grep -F "$work/none" "$work/refused"
}
python_example() {
  block python 'settings["volume"]' >"$work/player.py"
  [ -s "$work/player.py" ]
  python_with_wheel "$work/python" --no-index
  "$work/python/bin/python" "$work/player.py"
  [ "$(satchel get org.example.player track --json)" = '{"title":"Aria","seconds":312}' ]
}
# It sleeps, having opened the domain, until the command has written what it waits for.
python_waits() {
  local waiting
  block python 'settings.wait' >"$work/waiting.py"
  [ -s "$work/waiting.py" ]
  timeout 60 "$work/python/bin/python" "$work/waiting.py" >"$work/waited" &
  waiting=$!
  until [ -e "/proc/$waiting" ] && grep -qs org.example.player "/proc/$(pgrep -P "$waiting")/maps"; do kill -0 $waiting; done
  satchel set org.example.player volume 1 --type same --program knob
  wait $waiting
  [ "$(cat "$work/waited")" = "as loud as it gets, says knob" ]
}
# All of that page is one program.
python_page() {
  awk '/^```/ { inside = $0 == "```python"; next } inside' bindings/python/README.md >"$work/page.py"
  [ -s "$work/page.py" ]
  "$work/python/bin/python" "$work/page.py"
  [ "$(satchel get org.example.player CITY)" = Leipzig ]
}
swift_example() {
  local package=$work/player
  mkdir -p "$package"/Sources/{player,track,recent}
  block swift 'try settings.add' >"$package/Sources/player/main.swift"
  block swift 'import SatchelFoundation' >"$package/Sources/track/main.swift"
  block swift 'import SatchelCollections' >"$package/Sources/recent/main.swift"
  for program in player track recent; do [ -s "$package/Sources/$program/main.swift" ]; done
  printf '// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: "player", dependencies: [.package(name: "satchel", path: "%s")], targets: [.executableTarget(name: "player", dependencies: [.product(name: "Satchel", package: "satchel")]), .executableTarget(name: "track", dependencies: [.product(name: "Satchel", package: "satchel"), .product(name: "SatchelFoundation", package: "satchel")]), .executableTarget(name: "recent", dependencies: [.product(name: "SatchelCollections", package: "satchel")])])\n' "$top" >"$package/Package.swift"
  # The folder of the other examples, so that the library is compiled once for all.
  swift build --package-path "$package" --scratch-path .build/examples
  satchel set org.example.player balance/a 5 --type int
  .build/examples/debug/player
  [ "$(satchel get org.example.player balance/b)" = 5 ]
  .build/examples/debug/track
  [ "$(satchel get org.example.player track)" = '{"title":"Aria","seconds":312}' ]
  [ "$(.build/examples/debug/recent)" = '["air": 1, "aria": 1] air' ]
}

try "the shell example" shell_example
try "the C example" c_example
try "the C example, refused" c_example_refused
try "the Python example" python_example
try "the Python example of waiting" python_waits
try "the page of the Python package" python_page
try "the Swift example" swift_example
say "$passed passed, $failed failed"
[ $failed = 0 ]
