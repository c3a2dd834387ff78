#!/usr/bin/env bash
# docs/formats.md is enough to read a domain: reader.py, written from it alone, and the library say the same of sound and of
# damaged files, before and after the library has recovered and compacted them. torture.sh beside it tries more of them.
here=$(dirname "$0")
. "$here/../crash/compile.sh"
export SWIFT_BACKTRACE=enable=no PYTHONDONTWRITEBYTECODE=1
compile dump "$SATCHEL_LIB" "$here/dump.c"
compile write "$SATCHEL_LIB" "$here/write.c"
# Thousands of small files, each synced: in memory where there is room for that, since what is tried is not the disk.
if [ -w /dev/shm ] && [ "$(df --output=avail -k /dev/shm | tail -n 1)" -gt 262144 ]; then
  memory=$(mktemp -d /dev/shm/satchel-formats-XXXXXX)
  trap 'rm -rf "$work" "$memory"' EXIT
else
  memory=$work
fi
for seed in ${SEEDS:-1 2}; do
  mkdir "$memory/domains-$seed"
  counted "seed-$seed" python3 "$here/compare.py" --dump "$work/dump" --write "$work/write" --damage "${DAMAGES:-20}" \
    --seed "$seed" "$memory/domains-$seed"
done
summary
