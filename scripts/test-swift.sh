#!/usr/bin/env bash
# The Swift suites, in one debug build. The last line counts their tests.
. "$(dirname "$0")/lib.sh"
log=$top/.build/swift-test.log
mkdir -p .build
status=0
swift test "${strict[@]}" --disable-xctest 2>&1 | tee "$log" || status=$?
# A summary line for each test bundle: "Test run with 12 tests in 3 suites passed after 0.1 seconds."
total=$(sed -nE 's/.*Test run with ([0-9]+) tests? .*/\1/p' "$log" | awk '{sum += $1} END {print sum + 0}')
failed=$(grep -E '^. Test .* failed after ' "$log" | grep -vc '^. Test run with ') || true
[ $status = 0 ] || [ "$failed" -gt 0 ] || failed=1
[ $status = 0 ] && [ "$total" = 0 ] && { say "no Swift test ran"; status=1 failed=1; }
say "$((total > failed ? total - failed : 0)) passed, $failed failed"
exit $status
