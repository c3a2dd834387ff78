/* The same functions, once with assertions and once without: asserts.c is compiled twice. */
#include <satchel/log.h>

typedef struct {
  int conditions, messages;
} evaluated;

evaluated asserts_of_all_kinds(satchel_log *log);
evaluated no_asserts_of_all_kinds(satchel_log *log);
