#!/usr/bin/env bash
# The same as demo.sh without a single fork: bash itself knows `satchel` once its builtin is loaded.
set -eu
enable -f satchel.so satchel
domain=${1:-org.example.player}

for key in PRETTY_NAME volume lastWriter; do
  satchel get -v value "$domain" "$key" --default ""
  [ -z "$value" ] || printf '  bash reads   %-12s %s\n' "$key" "$value"
done

satchel set "$domain" volume 0.75 --type double
satchel set "$domain" lastWriter "a bash script"
satchel add -v plays "$domain" plays 1
# shellcheck disable=SC2154
printf '  bash writes  volume 0.75, lastWriter, plays %s\n' "$plays"
