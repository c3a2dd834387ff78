/* The processes of a test, with their forked children: a process group that can be stopped, counted and waited for. */
#ifndef GROUP_H
#define GROUP_H

#include <stdbool.h>
#include <sys/types.h>

/* A process that only waits keeps the group's number from being used for another one. Orphans come to this process. */
void group_begin(void);
void group_end(void);
/* Runs this program anew, in the group, with these arguments (the last is NULL). */
pid_t group_spawn(const char *const arguments[]);
bool group_has(pid_t process);
/* Those that live, without the one that only waits. */
int group_size(void);
/* All stand still, each thread of them, when this returns true. */
bool group_stop(void);
void group_continue(void);
void group_kill(void);
/* Waits until all have ended; how many have not. */
int group_wait(int seconds);

#endif
