/*
 * What the log has promised: how far each stream of records has been taken. It lies in a file that all processes of a test map,
 * so that what a killed one was told is known.
 */
#ifndef LEDGER_H
#define LEDGER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STREAMS = 1 << 14, RECORDS = 4096, LONGEST_MESSAGE = 1 << 17 };

/* The records of one thread, counted from 1 and in order. */
typedef struct {
  atomic_uint tried; /* the last record that was given to the log */
  atomic_uint taken; /* the last one that the log has answered for */
  atomic_uint pid;
} stream;

typedef struct {
  atomic_uint next;    /* streams in use */
  atomic_bool stop;    /* workers end when they have finished what they are at */
  atomic_uint refused; /* records that were answered with EFULL */
  atomic_uint queued;
  atomic_uint alerts, posts, forks;
  atomic_uint missing;    /* alerts that were in no file when their call had returned */
  atomic_uint unexpected; /* other answers */
  atomic_int code;        /* the last of them */
  stream streams[STREAMS];
} ledger;

/* Made anew, or as another process has made it; NULL where it cannot be had. */
ledger *ledger_open(const char *path, bool fresh);
void ledger_close(ledger *book);
/* A new stream, or -1 where all are used. */
int ledger_stream(ledger *book);

/* The message of a record, which tells which one it is: most are short, some have line breaks, some are too long for a ring. */
size_t message_of(char out[LONGEST_MESSAGE], unsigned stream, unsigned record);
/* Which one it is; false where it is none, or not exactly that one. */
bool message_read(const char *message, size_t size, unsigned *stream, unsigned *record);

#endif
