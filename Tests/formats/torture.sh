#!/usr/bin/env bash
# The long version of run.sh: twelve other seeds, a hundred damaged files of each domain.
SEEDS="${SEEDS:-11 12 13 14 15 16 17 18 19 20 21 22}" DAMAGES=100 exec "$(dirname "$0")/run.sh"
