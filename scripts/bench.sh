#!/usr/bin/env bash
# Measures against the peers, in one run; ONLY=name takes one line (or all that begin with "name."). Prints the lines and
# keeps them in Benchmarks/results.tsv, where lines that were not measured this time stay as they are.
#   SATCHEL_LIB=folder with libsatchel.so (default: a release build)   SATCHEL_BIN=the command (default: the shipped one)
#   SATCHEL_PACKAGE=the package that Swift builds (default: this one)  TMPDIR=a folder on a real disk
. "$(dirname "$0")/lib.sh"

only=${ONLY:-}
results=$top/Benchmarks/results.tsv
header=$'name\tvalue\tunit\tpeer\tpeer_value\tratio'
package=${SATCHEL_PACKAGE:-$top}
every="settings.read.c settings.read.c.sqlite settings.read.swift settings.read.python settings.write.process settings.write.lmdb"
every="$every settings.write.two_writers settings.write.disk settings.write.python settings.open.1m settings.open.1m.compacted"
every="$every cli.get bash.get bash.set"
for size in 1k 100k 1m; do
  for operation in insert hit miss remove fifo touch position; do every="$every dict.swift.$operation.$size"; done
done
for size in 1k 100k 1m; do every="$every dict.c.set.$size dict.c.get.$size dict.c.miss.$size dict.c.remove.$size"; done
for part in set get remove fifo; do every="$every dict.python.$part.100k"; done
every="$every cache.c.put cache.c.get cache.c.get_random cache.c.release cache.swift.get cache.python.set cache.python.get"

wanted=
for name in $every; do
  if [ -z "$only" ] || [ "$name" = "$only" ]; then wanted="$wanted $name"; fi
done
[ -n "$wanted" ] || for name in $every; do [[ $name != "$only".* ]] || wanted="$wanted $name"; done
[ -n "$wanted" ] || fail "no benchmark is called $only; there are: $every"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
! stat -f -c %T "$work" | grep -q tmpfs || say "bench: $work is in memory; set TMPDIR to a folder on a disk" >&2

library() {
  [ -z "${SATCHEL_LIB:-}" ] || return 0
  swift build --package-path "$package" -c release --product satchel >&2 || return
  SATCHEL_LIB=$(swift build --package-path "$package" -c release --show-bin-path)
}

# A step that fails ends its benchmark: where a build fails, an older program must not be measured.
# driver NAME ARGUMENTS...: compiles Benchmarks/c/NAME.c and runs it in a fresh folder.
driver() {
  local program=$1 folder
  shift
  library || return
  folder=$(mktemp -d "$work/$program.XXXX")
  mapfile -t glib < <(pkg-config --cflags --libs glib-2.0 | xargs -n 1)
  gcc -O2 -Wall -Wextra -Werror -Iinclude "Benchmarks/c/$program.c" -o "$work/$program" \
    -L"$SATCHEL_LIB" -Wl,-rpath,"$SATCHEL_LIB" -lsatchel -llmdb -lsqlite3 "${glib[@]}" || return
  "$work/$program" "$folder" "$@"
}

# swift_driver NAME ARGUMENTS...: builds a program of Benchmarks/swift and runs it.
swift_driver() {
  local build=(swift build --package-path Benchmarks/swift --scratch-path "${SATCHEL_SCRATCH:-.build/bench}" -c release)
  local program=$1
  shift
  "${build[@]}" --product "$program" >&2 || return
  mkdir -p "$work/swift"
  HOME=$work/swift XDG_CONFIG_HOME=$work/swift "$("${build[@]}" --show-bin-path)/$program" "$@"
}

# in_python NAME: runs Benchmarks/python/NAME.py in a fresh folder.
in_python() {
  [ -x "$work/python/bin/python" ] || python_with_wheel "$work/python" -r <(grep '^lmdb=' scripts/requirements.txt) >&2 || return
  mkdir -p "$work/python.$1"
  "$work/python/bin/python" "Benchmarks/python/$1.py" "$work/python.$1"
}

cli_get() {
  [ -n "${SATCHEL_BIN:-}" ] || need_stage >&2 || return
  driver cli "${SATCHEL_BIN:-$stage/bin/satchel}"
}

# in_bash NAME: runs Benchmarks/bash/NAME.bash in a fresh folder.
in_bash() {
  local command=${SATCHEL_BIN:-$stage/bin/satchel} builtin=${SATCHEL_LIB:-$stage/lib}/bash/satchel.so
  [ -e "$builtin" ] || need_stage >&2 || return
  mkdir -p "$work/bash.$1"
  bash "Benchmarks/bash/$1.bash" "$work/bash.$1" "$command" "$builtin"
}

measure() {
  case $1 in
    settings.read.c) driver read lmdb ;;
    settings.read.c.sqlite) driver read sqlite ;;
    settings.read.swift) swift_driver ReadBenchmark "$work/swift" ;;
    settings.read.python) in_python read ;;
    settings.write.process) driver write sqlite ;;
    settings.write.lmdb) driver write lmdb ;;
    settings.write.two_writers) driver two_writers ;;
    settings.write.disk) driver disk ;;
    settings.write.python) in_python write ;;
    settings.open.1m*) driver open ;; # both lines in one go
    dict.c.*) driver dict "${1##*.}" ;; # all lines of one size in one go
    dict.python.*) in_python dict ;;
    cache.c.*) driver cache ;;
    cache.swift.get) swift_driver CacheBenchmark ;;
    cache.python.*) in_python cache ;;
    cli.get) cli_get ;;
    bash.get) in_bash get ;;
    bash.set) in_bash set ;;
    dict.swift.*) swift_driver DictionaryBenchmark ;; # all lines in one go
  esac
}

# Puts a line into the file, in the place of the one of its name.
keep() {
  { [ ! -e "$results" ] || cat "$results"; printf '%s\n' "$1"; } |
    awk -F '\t' -v names="$every" '$1 != "name" {line[$1] = $0}
      END {n = split(names, order, " "); for (i = 1; i <= n; i++) if (order[i] in line) print line[order[i]]}' >"$work/lines"
  { printf '%s\n' "$header"; cat "$work/lines"; } >"$results"
}

printf '%s\n' "$header"
done=" "
failed=0
for name in $wanted; do
  [[ $done != *" $name "* ]] || continue
  measure "$name" >"$work/out" || { say "bench: $name failed" >&2; failed=1; continue; }
  while IFS= read -r line; do
    [[ " $wanted " == *" ${line%%$'\t'*} "* ]] || continue
    printf '%s\n' "$line"
    keep "$line"
    done="$done${line%%$'\t'*} "
  done <"$work/out"
done
exit $failed
