/* Logs in folders of their own, and what is in their files. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <satchel/log.h>

#include "support.h"

/* A new folder below the test's own. */
void scratch_new(void);
const char *log_folder(void);
/* Quiet, in that folder; `change` may be NULL. Ends the process where it cannot be had. */
satchel_log *scratch_log(void (*change)(satchel_log_options *options));
/* All that has been logged there, one file behind the other, once everything is in a file. Lent until the next call. */
const char *scratch_text(void);
/* The same without seeing to it that everything is. */
const char *scratch_text_now(void);
int occurrences(const char *text, const char *of);

#endif
