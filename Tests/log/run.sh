#!/usr/bin/env bash
# What a log promises when those who write to it, and those who lead it, die, stand still, fork, or find no room: the short run,
# under a minute. torture.sh beside it is the long one.
here=$(dirname "$0")
. "$here/../crash/compile.sh"
: "${SATCHEL_FAULTS_LIB:?the folder of a libsatchel.so with fault points}"

# In memory where there is room for that, since what is tried is not the disk; the long run tries both.
if [ -w /dev/shm ] && [ "$(df --output=avail -k /dev/shm | tail -n 1)" -gt 1048576 ]; then memory=/dev/shm; else memory=$work; fi
# A process that is meant to die needs no report of it.
export SWIFT_BACKTRACE=enable=no PYTHONDONTWRITEBYTECODE=1 XDG_STATE_HOME=$work/state
unset SATCHEL_LOG

shared=("$here"/{lines,ledger,checker,control,logs}.c)
for name in forks handlers ends full sizes; do compile "$name" "$SATCHEL_LIB" "$here/$name.c" "${shared[@]}"; done
compile leaders "$SATCHEL_FAULTS_LIB" "$here/leaders.c" "${shared[@]}"
compile kills "$SATCHEL_LIB" "$here/kills.c" "$here/worker.c" "$here/group.c" "${shared[@]}"
compile kills-at-points "$SATCHEL_FAULTS_LIB" "$here/kills.c" "$here/worker.c" "$here/group.c" "${shared[@]}"

ways=stops,posts,forks,all,renames,cuts,sizes
seed=${SEED:-$RANDOM}

# On the disk and in memory: kills, and the other reader's view of what the last of them left.
killed() {
  local place=$1 kills=$2
  mkdir -p "$work/killed"
  TMPDIR=$place counted "kills-$seed" "$work/kills" "$kills" "$seed" "$ways" "$work/killed"
  counted "lines-$seed" python3 "$here/lines.py" "$work/killed"
  rm -rf "$work/killed"
  seed=$((seed + 1))
}

if [ "${TORTURE:-}" = 1 ]; then
  for turn in 1 2; do
    killed "$work" 2000
    killed "$memory" 2000
    TMPDIR=$memory counted "full-kills-$turn" "$work/kills" 1000 $((seed + 100)) "$ways,full"
    TMPDIR=$memory counted "kills-at-points-$turn" "$work/kills-at-points" 1500 $((seed + 200)) "$ways,full,points"
  done
  counted forks "$work/forks" 10000
  TMPDIR=$memory counted handlers "$work/handlers" 1000
  counted leaders "$work/leaders" 2000
  counted full "$work/full" 60
else
  killed "$work" 100
  TMPDIR=$memory counted full-kills "$work/kills" 60 "$seed" "$ways,full"
  TMPDIR=$memory counted kills-at-points "$work/kills-at-points" 60 "$seed" "$ways,points"
  TMPDIR=$memory counted forks "$work/forks" 100
  TMPDIR=$memory counted handlers "$work/handlers" 60
  TMPDIR=$memory counted leaders "$work/leaders" 40
  counted full "$work/full" 3
fi
TMPDIR=$memory counted ends "$work/ends"
TMPDIR=$memory counted sizes "$work/sizes"
summary
