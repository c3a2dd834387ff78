#!/usr/bin/env bash
# The long version of run.sh, with figures: 10,000 kills and more seeds, all eight bits of every byte, 19,200 power cuts,
# every call of the scenario refused with every errno, the rest ten times; much of it in portable mode as well. SEED=n for
# other kills.
TORTURE=1 exec "$(dirname "$0")/run.sh"
