/*
 * The protocol of a log directory at small scope: leadership, the two commit slots, take-over, records that leave their ring, the
 * mailbox (docs/formats.md).
 *
 * RINGS writers have a ring each and log ROUNDS urgent records, POSTS one-shot writers share one cell of the mailbox and log one
 * each. LEADERS processes stand by to lead; a one-shot writer leads for a moment where nobody does. DEATHS of all these are
 * killed, at any step, also inside a write(2). FULL writes find the disk full, CUTS times somebody copies the file away and cuts
 * it, FOREIGN times somebody else appends a line. In the end a reader drains what is left, and counts.
 *
 * Every step is one store, one load or one compare-and-swap, as in Sources/SatchelLogging; memory is sequentially consistent,
 * as the orderings there ask for. A line is two units, so that it can be torn. Whoever is frozen is one that takes no step for a
 * while: nobody here ever waits for somebody's next step but a writer for room in its ring.
 *
 * Shown, for every interleaving:
 *   - what was answered LOGGED is in a file by then, QUEUED will be in the end, LOST never;
 *   - it is there once; twice only where one of the two says that it is a repeat, or where the file was cut, or written to by
 *     somebody else, between the announcement of a batch and its commit, or where whoever went on with a batch behind somebody
 *     else's bytes was killed;
 *   - what a killed writer had published is there, unless it was about to write it elsewhere;
 *   - no line is torn but by somebody else, and then it stands there whole as well;
 *   - nobody waits for ever (an invalid end state).
 *
 * Each -DBUG_... takes one rule away; torture.sh wants spin to find a counter-example then.
 *
 * Left out: order by time and the hold-back; files of several days, and those that are deleted (as one that is cut); what
 * somebody else does to the file between a leader's look at half a line in it and the write that follows at once; a file that
 * is cut while half a line waits for room on the disk, and by somebody else's bytes just as long again; sleeping (sleep.pml).
 */
#ifndef RINGS
#define RINGS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef POSTS
#define POSTS 0
#endif
#ifndef LEADERS
#define LEADERS 1
#endif
#ifndef DEATHS
#define DEATHS 1
#endif
#ifndef FULL
#define FULL 0
#endif
#ifndef CUTS
#define CUTS 0
#endif
#ifndef FOREIGN
#define FOREIGN 0
#endif

#define WRITERS (RINGS + POSTS)
#define RECORDS (RINGS * ROUNDS + POSTS)
#define SLOTS (RINGS + 1)
#define CELL RINGS /* the last slot */
#define NOBODY 255

/* ---- What is shared: the control file. ---- */

/* One word. The sequence counts commits, its lowest bit names the commit slot that is the truth. */
byte sequence = 0, fence = 0;
bool writing = false;

typedef Commit {
  byte tail[SLOTS];
  byte start, count /* of the batch, in units */
}
Commit commit[2];
byte batch[2 * RECORDS];

/* A slot has room for one record. */
byte head[SLOTS];
byte copiedTail[SLOTS]; /* in the ring's header, for its writer */
byte record[SLOTS];
byte mark[SLOTS];
#define NONE 0
#define TAKEN_OUT 1
#define SKIPPED 3

/* ---- The log file: the first halves of lines are odd, line ends are even. ---- */

#define ROOM (4 * RECORDS + 4)
#define FIRST_HALF(id) (2 * (id) + 1)
#define FOREIGN_LINE 100
#define LINE_END 102
byte file[ROOM];
byte length = 0;

/* ---- What the kernel knows. ---- */

byte leads = NOBODY;
byte owner = NOBODY; /* of the cell */

/* ---- What only the proof knows. ---- */

byte deaths = 0, fulls = 0, writersEnded = 0, leadersEnded = 0;
bool announced = false; /* a batch, and not yet committed */
bool isDisturbed = false; /* the file was cut, or written to by somebody else */
bool disturbed[RECORDS]; /* ... while the record's batch was announced */
bool isRedone = false; /* a line of the announced batch was begun anew */
bool published[RECORDS];
bool taken[RECORDS]; /* out of its ring, by its writer */
byte lines[RECORDS];   /* whole lines in the file and in what was copied of it */
byte direct[RECORDS];  /* lines in a direct file */
byte repeats[RECORDS]; /* ... that say that they are repeats */
byte answer[RECORDS];
#define LOGGED 1
#define QUEUED 2
#define LOST 3
#define IS_IN_A_FILE(id) (lines[id] + direct[id] + repeats[id] > 0)

/* Killed here? It matters only right after a store. */
#define MAY_DIE if :: mortal && deaths < DEATHS -> deaths++; goto gone :: true fi
#define IS_CHANCE_OF_FULL_DISK (fulls < FULL)

#ifdef BUG_ONE_COMMIT_SLOT
#define NEXT(number) ((number) % 2)
#else
#define NEXT(number) (((number) + 1) % 2)
#endif
#define THIS(number) ((number) % 2)

/* Control.committedTail: sets t, uses s. */
#ifdef BUG_COPY_OF_TAIL_BELIEVED
inline readCommittedTail(slot) { t = copiedTail[slot] }
#else
inline readCommittedTail(slot) {
  do
  :: s = sequence; t = commit[THIS(s)].tail[slot];
#ifdef BUG_ONE_LOOK_AT_SEQUENCE
     s = 0; break
#else
     /* That slot may have become the one of the next batch. */
     atomic { if :: sequence == s -> s = 0; break :: else fi }
#endif
  od
}
#endif

/* What the file holds no longer tells whether a batch is in it. */
inline disturb() {
  if
  :: announced ->
     i = 0;
     do
     :: i < commit[NEXT(sequence)].count -> disturbed[(batch[i] - 1) / 2] = true; i++
     :: else -> i = 0; break
     od
  :: else
  fi
}

/* ---- The leader. Its inlines use s, f, t, i, start, count, done, planned[], outcome, temporary. ---- */

#define NOTHING 0
#define WROTE 1
#define STUCK 2

inline appendUnit(unit) {
  assert(length < ROOM);
  if
  :: unit % 2 == 1 -> assert(length == 0 || file[length - 1] % 2 == 0)
  :: unit == LINE_END -> assert(isDisturbed) /* it closes half a line */
  :: unit % 2 == 0 && unit < FOREIGN_LINE -> assert(length > 0 && file[length - 1] == unit - 1); lines[unit / 2 - 1]++
  :: else
  fi;
  file[length] = unit;
  length++
}

inline closeLine() {
#ifdef BUG_HALF_LINE_NOT_CLOSED
  skip
#else
  if :: length > 0 && file[length - 1] % 2 == 1 -> appendUnit(LINE_END) :: else fi
#endif
}

inline beginLineAnew() {
  if :: isRedone -> disturb() :: else -> isRedone = true fi;
  done = done - done % 2
}

/* Appends the batch from unit `done` on; where `t` is set, the file ended at `start` when it was looked at last. One write(2) is one step: whole; or cut short by a kill,
   or by a full disk, which a temporary leader does not wait for. */
inline append() {
  do
  :: outcome == STUCK || done == count -> break
  :: else -> atomic {
       /* Cut, or written to, since then: a line of which a half was there begins anew. */
       if
       :: t > 0 && length != start -> closeLine(); beginLineAnew()
       :: else
       fi;
       t = 0;
       if
       :: true -> do :: done < count -> appendUnit(batch[done]); done++ :: else -> break od; MAY_DIE
       :: mortal && deaths < DEATHS ->
          do :: done < count - 1 -> appendUnit(batch[done]); done++ :: true -> break od;
          deaths++; goto gone
       :: IS_CHANCE_OF_FULL_DISK ->
          do :: done < count - 1 -> appendUnit(batch[done]); done++ :: true -> break od;
          fulls++; start = length; t = 1;
          if :: temporary -> outcome = STUCK :: else fi
       fi
     }
  od;
  t = 0
}

/* The flip: the one store that makes it true. */
inline commitBatch() {
  atomic { assert(writing || announced); announced = false; isRedone = false; sequence++; writing = false; MAY_DIE };
}

/* The tails that writers look at for room. */
inline copyTails() {
  atomic { i = 0; do :: i < SLOTS -> copiedTail[i] = commit[THIS(sequence)].tail[i]; i++ :: else -> break od; i = 0; MAY_DIE }
}

/* Leader.takeOver: finishes what the predecessor has announced. STUCK or WROTE. */
inline takeOver() {
  outcome = WROTE;
  if
  :: writing ->
#ifdef BUG_BEGUN_ANEW
     atomic { announced = false; fence++; writing = false }
#else
     atomic {
       start = commit[NEXT(sequence)].start; count = commit[NEXT(sequence)].count;
       if
#ifndef BUG_SHORTER_IS_COMMITTED
       :: count > 0 && length < start -> outcome = NOTHING
#else
       :: count > 0 && length < start -> done = count
#endif
       :: else ->
          /* How much of it is there? */
          do
#ifndef BUG_FILE_NOT_COMPARED
          :: done < count && start + done < length && file[start + done] == batch[done] -> done++
#endif
          :: else -> break
          od;
#ifndef BUG_FOREIGN_NOT_LOOKED_FOR
          if
          :: done < count && start + done < length ->
             /* Somebody else's bytes behind a part of it: their line is closed, the torn one goes there anew. */
             appendUnit(LINE_END); beginLineAnew(); MAY_DIE
          :: else
          fi;
#endif
          /* Cut and longer again, it may end in somebody's half line. */
          if :: done % 2 == 0 -> closeLine() :: else fi
       fi;
       start = length; t = 1
     };
     if
     :: outcome == NOTHING ->
        /* Cut: the records are still in the rings. */
        atomic { closeLine(); MAY_DIE };
#ifdef BUG_GIVEN_UP_WITHOUT_FENCE
        atomic { announced = false; writing = false; MAY_DIE };
#else
        atomic { announced = false; isRedone = false; fence++; writing = false; MAY_DIE };
#endif
        outcome = WROTE
     :: else ->
        append();
        if :: outcome == WROTE -> commitBatch() :: else fi
     fi;
     atomic { start = 0; count = 0; done = 0 }
#endif
  :: else
  fi;
#if !defined(BUG_TAILS_NOT_COPIED_ANEW) && !defined(BUG_COPY_OF_TAIL_LED_BY)
  if :: outcome == WROTE -> copyTails() :: else fi
#endif
}

#ifdef BUG_COPY_OF_TAIL_LED_BY
#define DRAINED_UP_TO(slot) copiedTail[slot]
#else
#define DRAINED_UP_TO(slot) commit[THIS(sequence)].tail[slot]
#endif
#define HAS_WORK(slot) (head[slot] != DRAINED_UP_TO(slot))
#if RINGS == 0
#define HAS_ANY_WORK HAS_WORK(0)
#elif RINGS == 1
#define HAS_ANY_WORK (HAS_WORK(0) || HAS_WORK(1))
#else
#define HAS_ANY_WORK (HAS_WORK(0) || HAS_WORK(1) || HAS_WORK(2))
#endif

inline render(slot) {
  batch[count] = FIRST_HALF(record[slot]); batch[count + 1] = FIRST_HALF(record[slot]) + 1; count = count + 2
}

/* Leader.drain: one batch. NOTHING, WROTE (or begun anew) or STUCK. */
inline drain() {
  atomic { s = sequence; f = fence };
  atomic { outcome = NOTHING; count = 0; i = 0 };
  do
  :: i < SLOTS ->
     planned[i] = head[i];
     if
     :: planned[i] != DRAINED_UP_TO(i) ->
        outcome = WROTE;
        atomic {
          t = mark[i];
#ifdef BUG_SKIPPED_IS_READ_AGAIN
          if :: t != TAKEN_OUT -> render(i) :: else fi
#else
          if :: t == NONE -> render(i) :: else fi
#endif
        };
        if
        :: t == TAKEN_OUT ->
#if defined(BUG_SKIPPED_IN_SILENCE)
           skip
#elif defined(BUG_SKIPPED_BY_STORE)
           atomic { mark[i] = SKIPPED; MAY_DIE }
#else
           /* Its writer, who may see it committed all the same, has to know; it may have put it back. */
           atomic { if :: mark[i] == TAKEN_OUT -> mark[i] = SKIPPED; MAY_DIE :: else -> render(i) fi }
#endif
        :: else
        fi
     :: else
     fi;
     i++
  :: else -> atomic { t = 0; i = 0; break }
  od;
  if
  :: outcome == WROTE ->
     atomic {
       start = length; announced = true;
       commit[NEXT(s)].start = start; commit[NEXT(s)].count = count;
       MAY_DIE
     };
     /* In one step, since nobody reads two of them. */
     atomic {
       do :: i < SLOTS -> commit[NEXT(s)].tail[i] = planned[i]; planned[i] = 0; i++ :: else -> break od;
       i = 0;
       MAY_DIE
     };
#ifdef BUG_COMMITTED_BEFORE_WRITTEN
     if :: sequence == s && fence == f -> commitBatch() :: else -> count = 0 fi;
     append();
#else
     /* From here on it will be written, by this leader or by the next. */
     atomic {
       if
#ifdef BUG_FENCE_NOT_COMPARED
       :: sequence == s -> writing = true; MAY_DIE
#else
       :: sequence == s && fence == f -> writing = true; MAY_DIE
#endif
       :: else -> announced = false; count = 0
       fi
     };
     if
     :: writing ->
        append();
        if
        :: outcome == WROTE -> commitBatch(); copyTails()
#ifdef BUG_STUCK_IS_TAKEN_BACK
        :: else -> atomic { announced = false; fence++; writing = false }
#else
        :: else
#endif
        fi
     :: else
     fi
#endif
  :: else
  fi;
  atomic { s = 0; f = 0; start = 0; count = 0; done = 0; i = 0; do :: i < SLOTS -> planned[i] = 0; i++ :: else -> i = 0; break od }
}

#define LEADER_VARIABLES byte s, f, t, i, start, count, done, outcome, planned[SLOTS]

/* Leader.lead: until nobody writes any more. */
proctype leader(byte me) {
  LEADER_VARIABLES;
  bool mortal = true, temporary = false;
  /* The kernel wakes one of those who wait for the lock. */
  if
#ifdef BUG_LED_BESIDE_THE_LIVING
  :: atomic { true -> leads = me }
#else
  :: atomic { leads == NOBODY -> leads = me }
#endif
  :: writersEnded == WRITERS -> goto gone
  fi;
  takeOver();
  do
  :: HAS_ANY_WORK -> drain()
  :: !HAS_ANY_WORK && writersEnded == WRITERS -> break
  od;
gone:
  atomic { if :: leads == me -> leads = NOBODY :: else fi; leadersEnded++ }
}

/* ---- Writers. ---- */

/* LogDirectory.leadBriefly. */
inline leadBriefly() {
  takeOver();
  do
  :: outcome != WROTE -> break
  :: else ->
     readCommittedTail(slot);
     if :: t >= target -> break :: else -> drain() fi
  od;
  atomic { leads = NOBODY; t = 0; outcome = 0 }
}

/* Where a record that is taken out is, or has to go. */
#define UNKNOWN 0
#define THERE 1
#define BESIDE 2
#define REPEAT 3

inline reply(result) {
  answer[id] = result;
  assert(result != LOGGED || IS_IN_A_FILE(id))
}

/* Settling.writeDirect: one write(2). */
inline writeDirect() {
  if
  :: atomic {
       if :: way == REPEAT -> repeats[id]++ :: else -> direct[id]++ fi;
       MAY_DIE;
       reply(LOGGED)
     }
  :: atomic { IS_CHANCE_OF_FULL_DISK -> fulls++ };
#ifdef BUG_REPEAT_NOT_PUT_BACK
     if :: way == REPEAT -> atomic { reply(QUEUED); break } :: else fi;
#endif
#ifdef BUG_NOT_PUT_BACK
     reply(QUEUED)
#elif defined(BUG_PUT_BACK_BY_STORE)
     atomic { mark[slot] = NONE; reply(QUEUED) }
#elif defined(BUG_PUT_BACK_IS_FAILURE)
     atomic { if :: mark[slot] == TAKEN_OUT -> mark[slot] = NONE :: else fi; reply(LOST) }
#else
     /* It stays where it is, unless a leader has passed over it. */
     atomic { if :: mark[slot] == TAKEN_OUT -> mark[slot] = NONE; MAY_DIE; reply(QUEUED) :: else -> reply(LOST) fi }
#endif
  fi
}

/* Settling.takeOut: the leader cannot be waited for. Uses s, f, t, start, count, done. */
inline takeOut() {
#ifdef BUG_FENCE_BEFORE_MARK
  atomic { if :: !writing -> fence++ :: else fi };
#endif
  atomic { mark[slot] = TAKEN_OUT; taken[id] = true; way = UNKNOWN; MAY_DIE };
  do
  :: atomic { s = sequence; f = fence; isWriting = writing };
#ifdef BUG_COPY_OF_TAIL_BELIEVED
     t = copiedTail[slot];
#else
     t = commit[THIS(s)].tail[slot];
#endif
     if
     :: sequence != s
     :: else ->
        if
        :: t >= target -> way = (mark[slot] == SKIPPED -> BESIDE : THERE)
        :: t < target && !isWriting ->
#if defined(BUG_NO_FENCE) || defined(BUG_FENCE_BEFORE_MARK)
           way = BESIDE
#else
           /* A leader that is building a batch has to begin anew, and then sees the mark. */
           atomic { if :: sequence == s && fence == f && !writing -> fence++; way = BESIDE; MAY_DIE :: else fi }
#endif
        :: t < target && isWriting ->
           t = commit[NEXT(s)].tail[slot];
           if
           :: t < target -> way = BESIDE
           :: else ->
              /* Does the file hold the batch? */
              atomic { start = commit[NEXT(s)].start; count = commit[NEXT(s)].count };
              do
#ifdef BUG_LENGTH_BELIEVED
              :: length >= start + count -> done = count; break
#else
              :: done < count && start + done < length && file[start + done] == batch[done] -> done++
#endif
              :: else -> break
              od;
              way = (done == count -> THERE : REPEAT);
#ifndef BUG_SKIP_NOT_LOOKED_FOR
              /* Planned, and passed over. */
              if :: mark[slot] == SKIPPED -> way = BESIDE :: else fi
#endif
           fi;
#ifndef BUG_ONE_LOOK_AT_WORD
           if :: sequence == s && fence == f && writing :: else -> way = UNKNOWN fi
#endif
        fi
     fi;
     if :: way != UNKNOWN -> break :: else -> atomic { start = 0; count = 0; done = 0 } fi
  od;
  atomic { s = 0; f = 0; t = 0; start = 0; count = 0; done = 0; isWriting = false };
  if
  :: way == THERE -> atomic { reply(LOGGED) }
  :: else -> do :: writeDirect(); break od
  fi;
  way = UNKNOWN
}

/* Where the next record goes; sets hasSlot. */
inline findRoom() {
  if
  :: slot != CELL ->
     /* It waits for room; with nobody left to make it the rest is not logged. */
     if
     :: copiedTail[slot] == head[slot] -> hasSlot = true
     :: leadersEnded == LEADERS -> goto gone
     fi
  :: else ->
     atomic {
#ifdef BUG_CELL_NOT_LOCKED
       hasSlot = true
#else
       if :: owner == NOBODY -> owner = me; hasSlot = true :: else fi
#endif
     };
     if
     :: hasSlot ->
#ifndef BUG_FULL_CELL_TAKEN
        /* What its last owner has left may still lie there. */
        readCommittedTail(slot);
        atomic { if :: t != head[slot] -> owner = NOBODY; hasSlot = false :: else fi; t = 0 }
#endif
     :: else
     fi
  fi
}

/* Settling.settle. */
inline settle() {
  do
  :: readCommittedTail(slot);
     atomic { if :: t >= target -> t = 0; reply(LOGGED); break :: else -> t = 0 fi }
  :: takeOut(); break /* out of patience, at any time */
  :: atomic { slot == CELL && leads == NOBODY -> leads = me };
     leadBriefly()
  od
}

proctype writer(byte me) {
  LEADER_VARIABLES;
  byte slot, id, target, round = 0, way;
  bool hasSlot, isWriting, mortal = true, temporary = true;
  if
  :: me < RINGS -> slot = me; id = me * ROUNDS
  :: else -> slot = CELL; id = RINGS * ROUNDS + me - RINGS
  fi;
  do
  :: findRoom();
     if
     :: hasSlot ->
        atomic { record[slot] = id; MAY_DIE };
        atomic { mark[slot] = NONE; MAY_DIE };
        atomic { head[slot]++; target = head[slot]; published[id] = true; MAY_DIE };
        settle()
     :: else ->
        if
        :: atomic { direct[id]++; reply(LOGGED) }
        :: atomic { IS_CHANCE_OF_FULL_DISK -> fulls++; reply(LOST) }
        fi
     fi;
     atomic {
       if :: owner == me -> owner = NOBODY :: else fi;
       round++; id++; target = 0; hasSlot = false;
       if :: slot == CELL || round == ROUNDS -> break :: else fi
     }
  od;
gone:
  atomic {
    if :: leads == me -> leads = NOBODY :: else fi;
    if :: owner == me -> owner = NOBODY :: else fi;
    writersEnded++
  }
}

/* ---- The others. ---- */

/* copytruncate, as if it were one step. */
proctype cutter() {
  byte i;
  do
  :: atomic {
       length > 0 -> isDisturbed = true; disturb();
       do :: length > 0 -> length--; file[length] = 0 :: else -> break od;
       break
     }
  :: writersEnded == WRITERS -> break
  od
}

proctype stranger() {
  byte i;
  do
  :: atomic {
       /* Behind a part of the batch the take-over sees which part. */
       if :: length == commit[NEXT(sequence)].start -> disturb() :: else fi;
       file[length] = FOREIGN_LINE; length++; isDisturbed = true;
       break
     }
  :: writersEnded == WRITERS -> break
  od
}

inline judge(id) {
  if :: answer[id] == LOGGED || answer[id] == QUEUED -> assert(IS_IN_A_FILE(id)) :: else fi;
  if :: answer[id] == LOST && !disturbed[id] -> assert(!IS_IN_A_FILE(id)) :: else fi;
  if
  :: !answer[id] && published[id] && !taken[id] -> assert(IS_IN_A_FILE(id))
  :: else
  fi;
  assert(lines[id] + direct[id] <= 1 || disturbed[id]);
  assert(repeats[id] <= 1)
}

init {
  LEADER_VARIABLES;
  bool mortal = false, temporary = false;
  atomic {
    do :: i < WRITERS -> run writer(i); i++ :: else -> break od;
    do :: i < WRITERS + LEADERS -> run leader(i); i++ :: else -> i = 0; break od;
#if CUTS
    run cutter();
#endif
#if FOREIGN
    run stranger();
#endif
  }
  (_nr_pr == 1);
  /* Whoever reads drains first. */
  takeOver();
  do :: HAS_ANY_WORK -> drain() :: else -> break od;
  atomic {
    do :: i < RECORDS -> judge(i); i++ :: else -> break od
  }
gone: skip
}
