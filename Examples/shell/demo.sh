#!/bin/sh
# Reads a domain that others write too, changes it, and says who wrote what. Needs `satchel` in PATH.
set -eu
domain=${1:-org.example.player}

for key in PRETTY_NAME volume lastWriter; do
  value=$(satchel get "$domain" "$key" --default "") || exit
  [ -z "$value" ] || printf '  shell reads  %-12s %s\n' "$key" "$value"
done

satchel set "$domain" volume 1 --type double
satchel set "$domain" lastWriter "a shell script"
printf '  shell writes volume 1, lastWriter, plays %s\n' "$(satchel add "$domain" plays 1)"
