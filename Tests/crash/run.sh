#!/usr/bin/env bash
# What a settings domain promises when processes die, bytes rot, power fails and disks fill: the short run, under three
# minutes. torture.sh beside it is the long one.
here=$(dirname "$0")
. "$here/compile.sh"
: "${SATCHEL_FAULTS_LIB:?the folder of a libsatchel.so with fault points}"

# Thousands of small files, each synced: in memory where there is room for that, since what is tried is not the disk.
if [ -w /dev/shm ] && [ "$(df --output=avail -k /dev/shm | tail -n 1)" -gt 262144 ]; then memory=/dev/shm; else memory=$work; fi
# A process that is meant to die needs no report of it.
export SWIFT_BACKTRACE=enable=no PYTHONDONTWRITEBYTECODE=1

plain=(kills damage full processes threads places waits limits memory compaction)
for name in "${plain[@]}"; do compile "$name" "$SATCHEL_LIB" "$here/$name.c" "$here/format.c"; done
for name in points power forks; do compile "$name" "$SATCHEL_FAULTS_LIB" "$here/$name.c" "$here/format.c"; done
# The library with fault points has the shared Swift runtime, as programs in Swift have it.
compile shared-runtime "$SATCHEL_FAULTS_LIB" "$here/threads.c"
compile refusals "$SATCHEL_LIB" "$here/refusals.c" -ldl
gcc -std=c11 -O1 -D_GNU_SOURCE "${warnings[@]}" -shared -fPIC "$here/preload.c" -o "$work/preload.so" -ldl
compile dump "$SATCHEL_LIB" "$here/../formats/dump.c"

# The library's view of the domain that the kills left behind, and that of a reader that shares no code with it.
independent_view() {
  python3 "$here/../formats/compare.py" --dump "$work/dump" "${1:-$work/killed}" kills
}

# The same programs, with every domain in portable mode (docs/formats.md, 3).
portable() {
  local name=$1
  shift
  counted "portable-$name" env SATCHEL_TEST_PORTABLE=1 TMPDIR="$memory" "$@"
}

mkdir -p "$work/killed"
# Each write syncs twice there: on a busy disk there would be more kills than writes.
killed_portable=$(mktemp -d "$memory/satchel-killed-XXXXXX")
trap 'rm -rf "$work" "$killed_portable"' EXIT
if [ "${TORTURE:-}" = 1 ]; then
  counted kills "$work/kills" 10000 "${SEED:-1}" "$work/killed"
  counted independent independent_view
  for seed in 11 12 13; do
    rm -rf "$work/killed" && mkdir -p "$work/killed"
    TMPDIR=$memory counted "kills-$seed" "$work/kills" 1000 "$seed" "$work/killed"
    counted "independent-$seed" independent_view
  done
  TMPDIR=$memory counted damage "$work/damage" all
  for seed in 1 2 3 4; do TMPDIR=$memory counted "power-$seed" "$work/power" 800 "$seed"; done
  TMPDIR=$memory counted refusals env LD_PRELOAD="$work/preload.so" "$work/refusals" all
  for seed in 1 2 3; do
    rm -rf "${killed_portable:?}"/*
    portable "kills-$seed" "$work/kills" 2000 "$seed" "$killed_portable"
    counted "portable-independent-$seed" independent_view "$killed_portable"
  done
  portable damage "$work/damage" all
  for seed in 1 2; do portable "power-$seed" "$work/power" 800 "$seed"; done
  portable refusals env LD_PRELOAD="$work/preload.so" "$work/refusals" all
  counted forks "$work/forks" 20000
  repeat=10
else
  counted kills "$work/kills" 300 "${SEED:-1}" "$work/killed"
  counted independent independent_view
  TMPDIR=$memory counted damage "$work/damage"
  TMPDIR=$memory counted power "$work/power" 60 "${SEED:-1}"
  TMPDIR=$memory counted refusals env LD_PRELOAD="$work/preload.so" "$work/refusals"
  portable kills "$work/kills" 150 "${SEED:-1}" "$killed_portable"
  counted portable-independent independent_view "$killed_portable"
  portable damage "$work/damage" some
  portable power "$work/power" 20 "${SEED:-1}"
  portable refusals env LD_PRELOAD="$work/preload.so" "$work/refusals"
  counted forks "$work/forks" 150
  repeat=1
fi
for ((turn = 0; turn < repeat; turn++)); do
  counted points "$work/points"
  counted processes "$work/processes"
  counted threads "$work/threads"
  counted shared-runtime "$work/shared-runtime" forked
  for name in points processes threads; do portable "$name" "$work/$name"; done
done
counted compaction "$work/compaction"
portable compaction "$work/compaction"
counted full "$work/full"
portable full "$work/full"
counted places "$work/places"
counted waits "$work/waits"
counted limits "$work/limits"
TMPDIR=$memory counted memory "$work/memory"
summary
