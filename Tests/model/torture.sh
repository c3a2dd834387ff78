#!/usr/bin/env bash
# Verifies the protocol's model (store.pml) with spin, and shows that each rule is needed: with it taken away spin must find a
# counter-example. One line a check; 400 s and 8 GB at most each. Counter-examples are left in .build/model/, to be replayed
# with `spin -t -p`. Needs spin and gcc; installs nothing.
. "$(dirname "$0")/../../scripts/lib.sh"
model=$top/Tests/model/store.pml
command -v spin >/dev/null || fail "spin is not installed (Debian, Ubuntu: apt-get install spin)"
command -v gcc >/dev/null || fail "gcc is not installed"
run=$top/.build/model
rm -rf "$run"
mkdir -p "$run"
passed=0 failed=0

# verify NAME holds|fails FLAG...: whether spin, searching all of it, finds a fault, and whether that is what it should find.
verify() {
  local name=$1 expected=$2 folder found states began=$SECONDS
  shift 2
  folder=$run/$((passed + failed))
  mkdir "$folder"
  # Its own folder each: spin writes files of fixed names.
  (
    cd "$folder"
    cp "$model" .
    spin -a "$@" store.pml && gcc -O2 -DSAFETY -DCOLLAPSE -DMEMLIM=8000 -o pan pan.c && timeout 400 ./pan -m5000000
  ) >"$folder/log" 2>&1 || true
  states=$(awk '/states, stored/{print $1; exit}' "$folder/log")
  if grep -q '^pan:1:' "$folder/log"; then
    found=fails
  elif grep -q 'errors: 0' "$folder/log" && ! grep -q 'Search not completed' "$folder/log" && [ -n "$states" ]; then
    found=holds
  else
    found="did not finish"
  fi
  if [ "$found" = "$expected" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  printf '%-4s  %-62s %s, %s states, %d s\n' "$([ "$found" = "$expected" ] && echo ok || echo FAIL)" "$name" "$found" \
    "${states:-no}" $((SECONDS - began))
  [ "$found" = "$expected" ] || tail -n 15 "$folder/log"
  rm -f "$folder/pan" "$folder"/pan.?
}

writers=(-DCOMPACTORS=0)
compaction=(-DWRITERS=1 -DROUNDS=2)
two=(-DWRITERS=1 -DCOMPACTORS=2 -DNO_OBSERVER)
verify "2 writers, an observer, 2 deaths" holds "${writers[@]}"
verify "1 writer twice, 1 compactor, an observer, 2 deaths" holds "${compaction[@]}"
verify "2 writers, 1 compactor, 2 deaths" holds -DNO_OBSERVER
verify "1 writer, 2 compactors, 2 deaths" holds "${two[@]}"

# without RULE BUG FLAG...
without() { verify "without: $1" fails "-DBUG_$2" "${@:3}"; }
without "an owner's death is answered by a compare-and-swap" STEAL_BY_STORE "${writers[@]}"
without "sleeping on the lock is timed" UNTIMED_SLEEP "${writers[@]}"
without "what is added to is read under the lock" READ_BEFORE_LOCK "${writers[@]}" -DNO_OBSERVER
without "sleepers are woken before the commit" WAKE_AFTER_COMMIT "${compaction[@]}"
without "a sleeper looks at the lock" LOCK_NOT_LOOKED_AT "${compaction[@]}"
without "... before it looks at what is committed" LOCK_LOOKED_AT_LAST "${compaction[@]}"
without "the sleep word says 'waking' until they are woken" CLEARED_BEFORE_WAKE "${compaction[@]}"
without "the kernel compares the sleep word" SLEEP_WORD_NOT_COMPARED "${compaction[@]}"
without "the mark comes before the rename" RENAME_BEFORE_MARK "${compaction[@]}"
without "a replaced file is marked" NO_MARK "${compaction[@]}"
without "writers look for the mark" MARK_IGNORED "${compaction[@]}"
without "a dead compactor's mark is taken back" MARK_NOT_TAKEN_BACK "${compaction[@]}"
without "the tail is copied under the lock" NO_TAIL "${compaction[@]}"
without "a compactor looks again under the lock" NO_SECOND_LOOK "${two[@]}"
# Clearing the sleep word by compare-and-swap is a second line: who sleeps has seen the lock free, and the waker holds it.
verify "the sleep word cleared by a store instead: the lock covers it" holds -DBUG_CLEARED_BY_STORE "${compaction[@]}"

say "$passed passed, $failed failed"
[ $failed = 0 ]
