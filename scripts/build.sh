#!/usr/bin/env bash
# A release build for Swift users and developers: dynamic Swift runtime, in .build/. What is shipped is scripts/ship.sh's.
. "$(dirname "$0")/lib.sh"
swift build -c release "${strict[@]}"
