#!/usr/bin/env bash
# The long version of run.sh: more than 10,000 kills, on a disk and in memory, with full disks and at named points; 10,000 forks; a
# disk that is full for a minute. SEED=n for the same again.
TORTURE=1 exec "$(dirname "$0")/run.sh"
