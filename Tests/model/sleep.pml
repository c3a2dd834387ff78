/*
 * How the leader of a log directory sleeps and is woken, and those who wait for it, at small scope (docs/formats.md). Two words,
 * each a count and a state: the leader sleeps on one, writers of urgent records on the other.
 *
 * WRITERS writers log PLAIN plain records each, and then URGENT urgent ones, for each of which they wait. The leader naps or
 * sleeps whenever it finds nothing to do. DEATHS of the writers are killed, at any step.
 *
 * Every step is one store, one load or one compare-and-swap, as in SleepWord, Leader and Producer. A writer's store of its head
 * waits in a store buffer, as on x86, until whenever the processor pleases, or its next locked instruction, or the leader's
 * barrier. Everything else is sequentially consistent. Sleeps do not end by time, but where one was killed who had to wake.
 *
 * Shown, for every interleaving:
 *   - the leader sleeps for ever only when all that was logged is committed;
 *   - a nap's end is nothing that an urgent record waits for;
 *   - each urgent record's writer comes back, and its record is committed then.
 *
 * Each -DBUG_... takes one rule away; torture.sh wants spin to find a counter-example then.
 */
#ifndef WRITERS
#define WRITERS 2
#endif
#ifndef PLAIN
#define PLAIN 1
#endif
#ifndef URGENT
#define URGENT 1
#endif
#ifndef DEATHS
#define DEATHS 0
#endif

#define LEADER WRITERS /* the writers are processes 0..WRITERS-1 */

/* ---- What is shared. ---- */

byte head[WRITERS];
byte tail[WRITERS]; /* committed */
byte urgent = 0;    /* counts urgent records */

#define OF_LEADER 0
#define OF_WAITERS 1
byte count[2]; /* its numbers are few here, and come again: in reality it is 30 bits wide */
byte state[2];
#define AWAKE 0
#define ASLEEP 1
#define BEING_WOKEN 2
#define NAPPING 3

#ifdef BUG_NO_COUNT
#define NEXT(number) 0
#else
#define NEXT(number) (((number) + 1) % 8)
#endif

/* ---- What the processor and the kernel know. ---- */

byte buffered[WRITERS]; /* stores of the head that others do not see yet */
byte sleepsOn[WRITERS + 1]; /* 1 + the word; 0: running */
byte deaths = 0;

/* ---- What only the proof knows. ---- */

byte ended = 0;
byte counted[WRITERS]; /* what that writer has logged, up to its last urgent record */
bool isNap = false;

#define MAY_DIE if :: me != LEADER && deaths < DEATHS -> deaths++; goto gone :: true fi

#define IS_DRAINED(writer) (head[writer] == tail[writer])
#if WRITERS == 1
#define ALL_DRAINED IS_DRAINED(0)
#define ALL_VISIBLE (buffered[0] == 0)
#define NO_URGENT_RECORD_WAITS (counted[0] <= tail[0])
#else
#define ALL_DRAINED (IS_DRAINED(0) && IS_DRAINED(1))
#define ALL_VISIBLE (buffered[0] == 0 && buffered[1] == 0)
#define NO_URGENT_RECORD_WAITS (counted[0] <= tail[0] && counted[1] <= tail[1])
#endif

/* A locked instruction, a system call: what was stored before it can be seen. */
#define STORES_ARE_SEEN (me == LEADER || buffered[me] == 0)

/* SleepWord.wake. Uses c, p, won. */
inline wake(word, nappersToo) {
  atomic { c = count[word]; won = (state[word] == ASLEEP || (nappersToo && state[word] == NAPPING)); p = state[word] };
  if
  :: won ->
     atomic {
       STORES_ARE_SEEN;
       if :: count[word] == c && state[word] == p -> count[word] = NEXT(c); state[word] = BEING_WOKEN; MAY_DIE :: else -> won = false fi
     };
     if
     :: won ->
        /* FUTEX_WAKE, of all. */
        atomic {
          p = 0;
          do
          :: p <= WRITERS -> if :: sleepsOn[p] == word + 1 -> sleepsOn[p] = 0 :: else fi; p++
          :: else -> break
          od;
          MAY_DIE
        };
#ifdef BUG_CLEARED_BY_STORE
        state[word] = AWAKE
#else
        /* Only its own mark: a newer sleeper's stays. */
        atomic { if :: count[word] == NEXT(c) && state[word] == BEING_WOKEN -> state[word] = AWAKE :: else fi }
#endif
     :: else
     fi
  :: else
  fi;
  atomic { c = 0; p = 0; won = false }
}

/* FUTEX_WAIT: sleeps only while the word is exactly that. */
inline fallAsleep(word, number, mark) {
  atomic {
    if
#ifdef BUG_WORD_NOT_COMPARED
    :: true -> sleepsOn[me] = word + 1
#else
    :: count[word] == number && state[word] == mark -> sleepsOn[me] = word + 1
    :: else
#endif
    fi
  }
}

/* ---- The leader. ---- */

/* Leader.drain: sets found. All that is there is one batch; how it is committed is in log.pml. */
inline drain() {
#ifndef BUG_URGENT_COUNTED_AFTER_HEADS
  u = urgent;
#endif
  atomic { i = 0; found = false };
  do
  :: i < WRITERS -> atomic { planned[i] = head[i]; if :: planned[i] != tail[i] -> found = true :: else fi; i++ }
  :: else -> atomic { i = 0; break }
  od;
#ifdef BUG_URGENT_COUNTED_AFTER_HEADS
  u = urgent;
#endif
  isHeld = false;
  if
  :: found && u == seen -> isHeld = true /* nothing urgent: held back for the order's sake */
  :: found ->
#ifdef BUG_WAITERS_WOKEN_BEFORE_COMMIT
     wake(OF_WAITERS, false);
#endif
     atomic { do :: i < WRITERS -> tail[i] = planned[i]; i++ :: else -> i = 0; break od };
#ifndef BUG_WAITERS_WOKEN_BEFORE_COMMIT
     wake(OF_WAITERS, false);
#endif
     seen = u
  :: !found -> seen = u
  fi;
  atomic { do :: i < WRITERS -> planned[i] = 0; i++ :: else -> i = 0; break od; u = 0 }
}

/* SleepWord.sleep: the leader's word has one sleeper, who stores. */
inline lieDown(mark) { atomic { count[OF_LEADER] = NEXT(count[OF_LEADER]); state[OF_LEADER] = mark; number = count[OF_LEADER] } }
inline getUp() { atomic { count[OF_LEADER] = NEXT(number); state[OF_LEADER] = AWAKE; number = 0; isNap = false } }

inline nap() {
#ifdef BUG_NAP_LOOKED_FIRST
  if :: urgent != seen -> found = true :: else fi;
#endif
  lieDown(NAPPING);
#ifndef BUG_NAP_LOOKED_FIRST
  if :: urgent != seen -> found = true :: else fi;
#endif
  if
  :: found
  :: else ->
     isNap = true;
     fallAsleep(OF_LEADER, number, NAPPING);
     /* A millisecond, which must not be what an urgent record waits for. */
     atomic { (sleepsOn[me] == 0 || NO_URGENT_RECORD_WAITS || deaths > 0); sleepsOn[me] = 0 }
  fi;
  getUp()
}

inline sleep() {
#ifdef BUG_LOOKED_FIRST
  found = !ALL_DRAINED;
#endif
  lieDown(ASLEEP);
#ifndef BUG_LOOKED_FIRST
#ifndef BUG_NO_BARRIER
  /* Each writer either sees the sleeper from now on, or shows its head. */
  atomic { do :: i < WRITERS -> head[i] = head[i] + buffered[i]; buffered[i] = 0; i++ :: else -> i = 0; break od };
#endif
  found = !ALL_DRAINED;
#endif
  if
  :: found
  :: else ->
     fallAsleep(OF_LEADER, number, ASLEEP);
     /* A second, for those who were killed before they could wake. */
#ifdef BUG_UNTIMED_SLEEP
end: (sleepsOn[me] == 0)
#else
end: atomic { (sleepsOn[me] == 0 || deaths > 0); sleepsOn[me] = 0 }
#endif
  fi;
  getUp()
}

proctype leader(byte me) {
  byte c, p, i, u, seen = 0, number, planned[WRITERS];
  bool won, found, isHeld;
  do
  :: drain();
     if
     :: isHeld -> atomic { found = false; isHeld = false }; nap()
     :: !isHeld && found
     :: !isHeld && !found -> nap()
     :: !isHeld && !found -> sleep()
     fi
  od;
gone: skip
}

/* ---- Writers. ---- */

#define PUBLISH atomic { buffered[me]++; mine++; MAY_DIE }

inline logPlain() {
#ifdef BUG_LOOKED_BEFORE_PUBLISHING
  isSeenAsleep = (state[OF_LEADER] == ASLEEP);
  PUBLISH;
#else
  PUBLISH;
  isSeenAsleep = (state[OF_LEADER] == ASLEEP);
#endif
  if :: isSeenAsleep -> isSeenAsleep = false; wake(OF_LEADER, false) :: else fi
}

#define COUNT_URGENT atomic { STORES_ARE_SEEN; urgent++; MAY_DIE }

/* SleepWord.sleepTogether: any number of sleepers share one mark. */
inline waitForCommit() {
  do
  :: tail[me] >= mine -> break
  :: else ->
#ifdef BUG_WAITER_LOOKED_FIRST
     if :: tail[me] >= mine -> break :: else fi;
#endif
     atomic { number = count[OF_WAITERS]; mark = state[OF_WAITERS] };
     won = true;
     if
     :: mark != ASLEEP ->
        atomic {
          if
          :: count[OF_WAITERS] == number && state[OF_WAITERS] == mark ->
             number = NEXT(number); count[OF_WAITERS] = number; state[OF_WAITERS] = ASLEEP; MAY_DIE
          :: else -> won = false
          fi
        }
     :: else
     fi;
     if
     :: won ->
#ifndef BUG_WAITER_LOOKED_FIRST
        if :: tail[me] >= mine -> break :: else fi;
#endif
        fallAsleep(OF_WAITERS, number, ASLEEP);
        (sleepsOn[me] == 0)
     :: else
     fi
  od;
  atomic { number = 0; mark = 0; won = false }
}

inline logUrgent() {
#ifdef BUG_URGENT_COUNTED_BEFORE_HEAD
  COUNT_URGENT;
  PUBLISH;
#else
  PUBLISH;
  COUNT_URGENT;
#endif
#ifdef BUG_NAPPER_NOT_WOKEN
  wake(OF_LEADER, false);
#else
  wake(OF_LEADER, true);
#endif
  counted[me] = mine;
  waitForCommit()
}

proctype writer(byte me) {
  byte c, p, number, mark, mine = 0;
  bool won, isSeenAsleep;
  do
  :: mine < PLAIN -> logPlain()
  :: mine >= PLAIN && mine < PLAIN + URGENT -> logUrgent()
  :: mine == PLAIN + URGENT -> break
  od;
gone: atomic { sleepsOn[me] = 0; ended++ }
}

/* The store buffers drain when they please. */
active proctype processor() {
end: do
  :: atomic { buffered[0] > 0 -> buffered[0]--; head[0]++ }
#if WRITERS > 1
  :: atomic { buffered[1] > 0 -> buffered[1]--; head[1]++ }
#endif
  od
}

active proctype monitor() {
end: (ended == WRITERS && ALL_VISIBLE && sleepsOn[LEADER] == OF_LEADER + 1 && !isNap);
#ifndef BUG_UNTIMED_SLEEP
  if :: deaths == 0 -> assert(ALL_DRAINED) :: else fi
#else
  assert(ALL_DRAINED)
#endif
}

init {
  atomic {
    byte i = 0;
    do :: i < WRITERS -> run writer(i); i++ :: else -> break od;
    run leader(LEADER)
  }
}
