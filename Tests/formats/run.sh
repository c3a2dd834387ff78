#!/usr/bin/env bash
# docs/formats.md is enough to read a domain: reader.py, written from it alone, and the library say the same of sound and of
# damaged files.
here=$(dirname "$0")
. "$here/../crash/compile.sh"
export SWIFT_BACKTRACE=enable=no PYTHONDONTWRITEBYTECODE=1
compile dump "$SATCHEL_LIB" "$here/dump.c"
compile write "$SATCHEL_LIB" "$here/write.c"
for seed in 1 2; do
  mkdir "$work/domains-$seed"
  counted "seed-$seed" python3 "$here/compare.py" --dump "$work/dump" --write "$work/write" --damage "${DAMAGES:-60}" \
    --seed "$seed" "$work/domains-$seed"
done
summary
