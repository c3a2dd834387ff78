#!/bin/sh
# Runs every transcript against the command at $SATCHEL_BIN; run.sh NAME... runs some of them.
here=$(cd "$(dirname "$0")" && pwd) || exit
exec python3 "$here/transcripts.py" "$@"
