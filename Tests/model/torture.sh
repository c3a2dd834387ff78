#!/usr/bin/env bash
# Verifies the protocols' models with spin (store.pml: the settings; log.pml and sleep.pml: the logger), and shows that each rule
# is needed: with it taken away spin must find a counter-example. One line a check; 400 s and 8 GB at most each. Counter-examples are left in .build/model/, to be replayed
# with `spin -t -p`. Needs spin and gcc; installs nothing.
. "$(dirname "$0")/../../scripts/lib.sh"
command -v spin >/dev/null || fail "spin is not installed (Debian, Ubuntu: apt-get install spin)"
command -v gcc >/dev/null || fail "gcc is not installed"
run=$top/.build/model
rm -rf "$run"
mkdir -p "$run"
passed=0 failed=0

# of MODEL: what the checks that follow are about.
of() { model=$top/Tests/model/$1.pml; }

# verify NAME holds|fails FLAG...: whether spin, searching all of it, finds a fault, and whether that is what it should find.
verify() {
  local name=$1 expected=$2 folder found states began=$SECONDS
  shift 2
  folder=$run/$((passed + failed))
  mkdir "$folder"
  # Its own folder each: spin writes files of fixed names.
  (
    cd "$folder"
    cp "$model" model.pml
    spin -a "$@" model.pml && gcc -O2 -DSAFETY -DCOLLAPSE -DMEMLIM=8000 -o pan pan.c && timeout 400 ./pan -m5000000
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

# without RULE BUG FLAG...
without() { verify "without: $1" fails "-DBUG_$2" "${@:3}"; }

of store
writers=(-DCOMPACTORS=0)
compaction=(-DWRITERS=1 -DROUNDS=2)
two=(-DWRITERS=1 -DCOMPACTORS=2 -DNO_OBSERVER)
verify "2 writers, an observer, 2 deaths" holds "${writers[@]}"
verify "1 writer twice, 1 compactor, an observer, 2 deaths" holds "${compaction[@]}"
verify "2 writers, 1 compactor, 2 deaths" holds -DNO_OBSERVER
verify "1 writer, 2 compactors, 2 deaths" holds "${two[@]}"

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

of log
twice=(-DRINGS=1 -DROUNDS=2)
posts=(-DRINGS=0 -DPOSTS=2 -DFULL=1)
cut=("${twice[@]}" -DCUTS=1 -DFULL=2)
successors=("${twice[@]}" -DLEADERS=2 -DDEATHS=2)
verify "2 rings, a death, a full disk" holds -DFULL=1
verify "2 rings, 2 leaders, 2 deaths" holds -DLEADERS=2 -DDEATHS=2
verify "a ring twice, 2 leaders, 2 deaths, a full disk" holds "${successors[@]}" -DFULL=1
verify "a ring, a one-shot writer, 2 deaths, a full disk" holds -DRINGS=1 -DPOSTS=1 -DDEATHS=2 -DFULL=1
verify "3 one-shot writers on one cell, a death" holds -DRINGS=0 -DPOSTS=3
verify "2 one-shot writers, 2 deaths, the disk full, the file cut" holds "${posts[@]}" -DDEATHS=2 -DCUTS=1
verify "2 one-shot writers, a death, the disk full, a foreign line" holds "${posts[@]}" -DFOREIGN=1
verify "a ring twice, a death, the disk full twice, the file cut" holds "${cut[@]}"
verify "a ring twice, a death, the file cut, a foreign line" holds "${twice[@]}" -DCUTS=1 -DFOREIGN=1
verify "2 rings, 2 deaths, the file cut" holds -DDEATHS=2 -DCUTS=1
verify "2 rings, 2 deaths, a foreign line" holds -DDEATHS=2 -DFOREIGN=1

without "nobody leads beside the living" LED_BESIDE_THE_LIVING "${successors[@]}"
without "the truth is not written over" ONE_COMMIT_SLOT "${twice[@]}"
without "a tail is read between two looks at the sequence" ONE_LOOK_AT_SEQUENCE
without "the write comes before the commit" COMMITTED_BEFORE_WRITTEN "${twice[@]}"
without "a writer believes the commit slot, not the copied tail" COPY_OF_TAIL_BELIEVED "${successors[@]}"
without "and so does a leader" COPY_OF_TAIL_LED_BY "${successors[@]}"
without "a new leader copies the tails" TAILS_NOT_COPIED_ANEW "${successors[@]}"
without "a new leader finishes the announced batch" BEGUN_ANEW "${successors[@]}"
without "... behind what is there of it" FILE_NOT_COMPARED "${successors[@]}"
without "... and behind foreign bytes anew" FOREIGN_NOT_LOOKED_FOR "${twice[@]}" -DFOREIGN=1
without "... but not where the file is shorter" SHORTER_IS_COMMITTED "${cut[@]}"
without "a line begins behind the end of another" HALF_LINE_NOT_CLOSED "${cut[@]}"
without "a temporary leader leaves the batch announced" STUCK_IS_TAKEN_BACK "${posts[@]}"
without "whoever takes a record out moves the fence" NO_FENCE "${twice[@]}"
without "... after the mark" FENCE_BEFORE_MARK "${twice[@]}"
without "... and a leader looks at it" FENCE_NOT_COMPARED "${twice[@]}"
without "a leader says what it skips" SKIPPED_IN_SILENCE "${twice[@]}"
without "... by a compare-and-swap" SKIPPED_BY_STORE "${cut[@]}"
without "what is skipped stays so" SKIPPED_IS_READ_AGAIN "${twice[@]}"
without "its writer looks for that in an announced batch, too" SKIP_NOT_LOOKED_FOR "${twice[@]}"
without "... and compares the file with the batch" LENGTH_BELIEVED "${twice[@]}" -DFOREIGN=1
without "what cannot be written elsewhere is put back" NOT_PUT_BACK "${cut[@]}"
without "... by a compare-and-swap" PUT_BACK_BY_STORE "${cut[@]}"
without "... and is no failure" PUT_BACK_IS_FAILURE "${cut[@]}"
without "... and so is a repeat" REPEAT_NOT_PUT_BACK "${cut[@]}"
without "a cell has one owner" CELL_NOT_LOCKED "${posts[@]}"
without "a cell is empty before it is taken" FULL_CELL_TAKEN "${posts[@]}"
# Second lines: whoever has taken a record out sees the leader's mark on it before anything else can mislead it.
verify "one look at an announced batch: the mark covers it" holds -DBUG_ONE_LOOK_AT_WORD "${twice[@]}" -DCUTS=1 -DFOREIGN=1
verify "given up without moving the fence: the mark covers it" holds -DBUG_GIVEN_UP_WITHOUT_FENCE "${twice[@]}" -DCUTS=1 -DFOREIGN=1

of sleep
plain=(-DPLAIN=2 -DURGENT=0)
verify "2 writers of a plain and an urgent record" holds
verify "... 2 deaths" holds -DDEATHS=2
verify "2 writers of 2 plain records" holds "${plain[@]}"
without "a writer looks at the word after it has published" LOOKED_BEFORE_PUBLISHING "${plain[@]}"
without "the leader's barrier makes that so for the processor" NO_BARRIER "${plain[@]}"
without "the leader looks after the word says that it sleeps" LOOKED_FIRST "${plain[@]}"
without "... or naps" NAP_LOOKED_FIRST
without "... and so do those who wait for a commit" WAITER_LOOKED_FIRST
without "the kernel compares the word" WORD_NOT_COMPARED
without "the word counts" NO_COUNT
without "it is cleared by a compare-and-swap" CLEARED_BY_STORE
without "urgent records wake a leader that naps" NAPPER_NOT_WOKEN
without "... and are counted after they are published" URGENT_COUNTED_BEFORE_HEAD
without "... and read as seen before the heads are read" URGENT_COUNTED_AFTER_HEADS
without "the commit comes before the wake-up" WAITERS_WOKEN_BEFORE_COMMIT
without "a sleep is timed, since a waker may be killed" UNTIMED_SLEEP -DDEATHS=1

say "$passed passed, $failed failed"
[ $failed = 0 ]
