#!/usr/bin/env bash
# All zones of the machine: around each change of their clocks and at random instants the library says what Python says.
. "$(dirname "$0")/../../scripts/lib.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seed=${SEED:-$RANDOM}
say "SEED=$seed"

swift build "${strict[@]}" --product zone-check
zone_check=$(swift build --show-bin-path)/zone-check

# The machine has one zone, whatever a program's own variable says.
for zone in Asia/Kathmandu America/Sao_Paulo; do
  [ "$(TZ=$zone "$zone_check" record)" = "$(env -u TZ "$zone_check" record)" ] || fail "TZ=$zone changes the zone of the machine"
done

python3 Tests/zones/table.py "$seed" >"$work/table"
say "$(wc -l <"$work/table") instants"
"$zone_check" <"$work/table"
