/*
 * The protocol of the domain file at small scope: lock, commit, sleep, compaction, dead owners (docs/formats.md, 2).
 *
 * WRITERS writers each add 1 to a number, ROUNDS times; COMPACTORS compactors replace the file once; one observer reads and
 * sleeps for ever. Up to CRASHES of the writers and compactors are killed, at any step. Every step is one store, one load or
 * one compare-and-swap, as in Sources/SatchelSettings/Store; memory is sequentially consistent, as the orderings there ask for.
 *
 * Shown, for every interleaving:
 *   - never two live processes inside the lock;
 *   - no acknowledged write is lost, none appears that nobody began, across compactions and deaths;
 *   - a read sees whatever was acknowledged before it began;
 *   - when everybody is done the observer sleeps on the file that is the store, and has seen its newest state;
 *   - nobody waits for ever (an invalid end state).
 *
 * Each -DBUG_... takes one rule away; torture.sh wants spin to find a counter-example then.
 *
 * Left out: the write of the new file's lock after a compaction (taken only to be given back), and the compactor's first
 * taking of the lock (it ends what dead ones left behind, which its second taking does too).
 */
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef COMPACTORS
#define COMPACTORS 1
#endif
#ifndef CRASHES
#define CRASHES 2
#endif

#define GENERATIONS (COMPACTORS + 1)
#define MORTALS (WRITERS + COMPACTORS) /* they are processes 1..MORTALS, the observer is MORTALS + 1 */
#define OBSERVER (MORTALS + 1)

/* ---- What is shared: one of each per file. ---- */

byte committed[GENERATIONS]; /* how many additions the file holds ... */
bool retired[GENERATIONS];   /* ... and the mark, a bit of the same word */
byte lock[GENERATIONS];      /* 0, or its owner ... */
bool waiters[GENERATIONS];   /* ... and the waiters bit of the same word */
byte state[GENERATIONS];     /* the sleep word: 0 nobody sleeps, 1 somebody does, 2 being woken ... */
byte sequence[GENERATIONS];  /* ... and its sequence number */
byte name = 0;               /* the file that the name leads to */
byte newest = 0;             /* the last file that was made */

/* ---- What the kernel knows. ---- */

byte waits[OBSERVER + 1]; /* 1 + the file on whose lock word that process sleeps; 0: awake */
bool asleep = false;      /* the observer sleeps on the sleep word of ... */
byte sleepsOn;
bool dead[OBSERVER + 1];

/* ---- What only the proof knows. ---- */

byte inside[GENERATIONS]; /* live processes inside the lock */
byte crashes = 0, ended = 0;
byte begun = 0, acknowledged = 0;
byte seen = 0; /* what the observer has read */

/* Killed here? It matters only right after a store, so it is asked there. */
#define MAY_DIE \
  if \
  :: atomic { mortal && crashes < CRASHES -> crashes++; dead[me] = true; ended++; \
       if :: holds -> inside[g]-- :: else fi; goto gone } \
  :: true \
  fi

#define TAKE lock[g] = me; holds = true; inside[g]++; assert(inside[g] == 1)

/* FUTEX_WAKE with 1: any one of the sleepers, so each choice is open. */
inline wakeOneWaiter(x) {
  if
  :: waits[1] == x + 1 -> waits[1] = 0
  :: MORTALS >= 2 && waits[2] == x + 1 -> waits[2] = 0
  :: MORTALS >= 3 && waits[MORTALS] == x + 1 -> waits[MORTALS] = 0
  :: waits[OBSERVER] == x + 1 -> waits[OBSERVER] = 0
  :: else
  fi
}

/* SharedLock.acquire on file g. */
inline acquire() {
  slept = false;
  do
  :: owner = lock[g];
     if
     :: owner == 0 ->
        /* Whoever slept takes the lock with the waiters bit: others may still sleep. */
        atomic { if :: lock[g] == 0 -> TAKE; if :: slept -> waiters[g] = true :: else fi; break :: else fi }
     :: else ->
        atomic { if :: lock[g] == owner -> waiters[g] = true :: else -> owner = 0 fi };
        if
        :: owner != 0 ->
           atomic { if :: lock[g] == owner && waiters[g] -> waits[me] = g + 1 :: else fi };
           MAY_DIE; /* asleep: a wake-up may be spent on one that is killed */
#ifdef BUG_UNTIMED_SLEEP
           atomic { (waits[me] == 0 || dead[owner]); slept = true; flag = dead[owner] };
#else
           /* The sleep is timed, so that it ends whenever the lock has moved, woken or not. */
           atomic { (waits[me] == 0 || lock[g] != owner || dead[owner]); slept = true; flag = dead[owner] };
#endif
           MAY_DIE; waits[me] = 0;
           if
           :: flag ->
#ifdef BUG_STEAL_BY_STORE
              atomic { TAKE; waiters[g] = true; break }
#else
              atomic { if :: lock[g] == owner -> TAKE; waiters[g] = true; break :: else fi }
#endif
           :: else
           fi
        :: else
        fi
     fi
  od;
  MAY_DIE
}

/* SharedLock.release: one exchange, then one waiter is woken if the old word said so. */
inline release() {
  atomic { flag = waiters[g]; lock[g] = 0; waiters[g] = false; inside[g]--; holds = false };
#ifndef BUG_NO_WAKE_OF_WAITERS
  if :: flag -> MAY_DIE; atomic { wakeOneWaiter(g) } :: else fi
#endif
}

#define FUTEX_WAKE_SLEEPERS atomic { if :: asleep && sleepsOn == g -> asleep = false :: else fi }

/* Store.wakeSleepers; lock held. */
inline wakeSleepers() {
  flag = (state[g] != 0);
  if
  :: flag ->
#ifdef BUG_CLEARED_BEFORE_WAKE
     atomic { sequence[g]++; state[g] = 0 }; MAY_DIE;
     FUTEX_WAKE_SLEEPERS; MAY_DIE
#else
     atomic { sequence[g]++; state[g] = 2 }; MAY_DIE;
     FUTEX_WAKE_SLEEPERS; MAY_DIE;
#ifdef BUG_CLEARED_BY_STORE
     state[g] = 0; MAY_DIE
#else
     /* Only from the waker's own mark: a newer sleeper's stays. */
     atomic { if :: state[g] == 2 -> state[g] = 0 :: else fi }; MAY_DIE
#endif
#endif
  :: else
  fi
}

/* Store.lockGeneration: ends with the lock of the file that is the store. */
inline beginWrite() {
  do
  :: acquire();
#ifdef BUG_MARK_IGNORED
     break;
#endif
     flag = retired[g];
     if
     :: !flag -> break
     :: else ->
        if
        :: name == g ->
#ifdef BUG_MARK_NOT_TAKEN_BACK
           /* Trying again until the name moves is the same as waiting for it. */
           release(); (name != g); g = name
#else
           /* The compactor died before its rename: take the mark back. */
           retired[g] = false; MAY_DIE; release(); MAY_DIE
#endif
        :: else -> release(); MAY_DIE; g = name
        fi
     fi
  od
}

proctype writer(byte me) {
  byte g = 0, owner, old, round = 0;
  bool flag, slept, holds = false, mortal = true;
  g = name;
  do
  :: round < ROUNDS ->
     begun++;
#ifdef BUG_READ_BEFORE_LOCK
     old = committed[g];
     beginWrite();
#else
     beginWrite();
     old = committed[g];
#endif
#ifndef BUG_WAKE_AFTER_COMMIT
     wakeSleepers();
#endif
     committed[g] = old + 1; MAY_DIE;
#ifdef BUG_WAKE_AFTER_COMMIT
     wakeSleepers();
#endif
     release();
     atomic { acknowledged++; round++ }; MAY_DIE
  :: else -> break
  od;
  ended++;
gone: skip
}

proctype compactor(byte me) {
  byte g = 0, owner, scanned, bulk, next;
  bool flag, slept, holds = false, mortal = true;
  g = name;
  /* The bulk is copied while others go on writing; only the length of the scan is kept. */
  scanned = g;
  bulk = committed[g];
  beginWrite();
  if
#ifndef BUG_NO_SECOND_LOOK
  :: g != scanned -> release() /* somebody else compacted first */
#else
  :: false
#endif
  :: else ->
     /* The tail, from the scanned file. The new file is whole and on disk before anything leads to it. */
     atomic {
       newest++; next = newest;
#ifdef BUG_NO_TAIL
       committed[next] = bulk
#else
       committed[next] = committed[scanned]
#endif
     };
     MAY_DIE;
#ifndef BUG_WAKE_AFTER_COMMIT
     wakeSleepers();
#endif
#ifdef BUG_RENAME_BEFORE_MARK
     name = next; MAY_DIE;
     retired[g] = true; MAY_DIE;
#else
#ifndef BUG_NO_MARK
     retired[g] = true; MAY_DIE;
#endif
     name = next; MAY_DIE;
#endif
#ifdef BUG_WAKE_AFTER_COMMIT
     wakeSleepers();
#endif
     release()
  fi;
  ended++;
gone: skip
}

/* Store.wait and the reads between two of them. */
proctype observer(byte me) {
  byte g = 0, owner, before, value, mark;
  bool flag, slept, holds = false, mortal = false, marked;
  g = name;
  do
  :: before = acknowledged;
     atomic { value = committed[g]; marked = retired[g] }; /* one load */
     if
     :: marked && name != g -> g = name
     :: marked && name == g ->
        atomic { assert(value >= before || name != g); seen = value };
        beginWrite(); release()
     :: !marked ->
        assert(value >= before);
        seen = value;
        atomic { mark = sequence[g]; state[g] = 1 }; /* a loop of compare-and-swaps on one word */
#ifdef BUG_LOCK_LOOKED_AT_LAST
        atomic { if :: committed[g] != value || retired[g] -> goto again :: else fi };
#endif
#ifndef BUG_LOCK_NOT_LOOKED_AT
        owner = lock[g];
        if :: owner != 0 -> beginWrite(); release(); goto again :: else fi;
#endif
#ifndef BUG_LOCK_LOOKED_AT_LAST
        atomic { if :: committed[g] != value || retired[g] -> goto again :: else fi };
#endif
        /* FUTEX_WAIT sleeps only while the word is exactly the mark. */
        atomic {
          if
#ifdef BUG_SLEEP_WORD_NOT_COMPARED
          :: true -> asleep = true; sleepsOn = g
#else
          :: sequence[g] == mark && state[g] == 1 -> asleep = true; sleepsOn = g
          :: else -> goto again
#endif
          fi
        };
end:    (!asleep)
again:  skip
     fi
  od;
gone: skip
}

active proctype monitor() {
#ifdef NO_OBSERVER
end: (ended == MORTALS);
#else
end: (ended == MORTALS && asleep);
     assert(sleepsOn == name && seen == committed[name]);
#endif
     assert(committed[name] >= acknowledged && committed[name] <= begun)
}

init {
  atomic {
    byte i = 1;
    do
    :: i <= WRITERS -> run writer(i); i++
    :: i > WRITERS && i <= MORTALS -> run compactor(i); i++
    :: else -> break
    od;
#ifndef NO_OBSERVER
    run observer(OBSERVER)
#endif
  }
}
