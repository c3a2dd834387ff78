/* Reads all files of a log and holds them against what was promised. */
#ifndef CHECKER_H
#define CHECKER_H

#include "ledger.h"
#include "lines.h"

typedef struct {
  uint64_t lines, late, direct, repeated;
  uint64_t fragments; /* halves of lines, which only killed writers leave, and only in direct files */
  uint64_t torn;      /* anything else that is no record */
  uint64_t lost, doubled, misordered, backwards;
  uint64_t doubled_marked; /* there twice, once marked as a repeat */
  uint64_t told;           /* losses that the log tells of */
} findings;

/* Half a line at the end of a file that `is_partial` names is none of a fault: copied while the disk was full. */
typedef bool may_be_partial(const char *name);

/* All files of the folder. `book` may be NULL where only the form of the lines is looked at. */
findings check_folder(const char *folder, const ledger *book, may_be_partial *is_partial);
/* Calls CHECK for each kind of fault. */
void check_findings(const findings *found, const char *what);
void print_findings(const findings *found);

/* Every record in the files of a folder, file by file. */
typedef void line_body(const char *name, const log_line *line, void *context);
void each_line(const char *folder, line_body *body, void *context);

/* How often a message stands in the files of a folder; `repeats` counts those of them that are marked. */
int times_in_files(const char *folder, const char *message, int *repeats);

#endif
