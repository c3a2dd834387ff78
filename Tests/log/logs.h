/* Logs as the tests open and write them. */
#ifndef LOGS_H
#define LOGS_H

#include <satchel/log.h>
#include <stdbool.h>

/* Written to files only, none of which is ever deleted; a failure is a failed check and NULL. */
satchel_log *open_log(const char *folder, const char *app, uint32_t flags);
satchel_log_options log_options(const char *folder, uint32_t flags);
/* satchel_log_write of a text. */
int write_text(satchel_log *log, int severity, const char *text);
int post_text(const char *folder, const char *app, const char *text);
/* By a process of its own: whatever is in the memory of the log comes into its files. */
void drain_log(const char *folder, const char *app);
/* Drains, and checks that the message stands in the files once; where `may_repeat`, a second time with the mark of a repeat. */
void is_there_once(const char *folder, const char *app, const char *text, bool may_repeat);

#endif
