/* Moves a balance between two keys: both change or neither does, whoever else writes at the same time. */
#include <inttypes.h>
#include <satchel.h>
#include <stdio.h>

static int fail(const char *what, int code) {
  fprintf(stderr, "transaction: %s: %s\n", what, satchel_strerror(code));
  return 3;
}

int main(int argc, char **argv) {
  satchel_settings *settings = NULL;
  satchel_transaction *transaction = NULL;
  int64_t from = 0, to = 0;
  uint64_t revision = 0;

  int code = satchel_settings_open(&settings, argc > 1 ? argv[1] : "org.example.bank", NULL);
  if (code < 0) return fail("open", code);
  code = satchel_settings_begin(&transaction, settings);
  if (code < 0) return fail("begin", code);
  if ((code = satchel_transaction_add(&from, transaction, "alice", -10)) < 0 ||
      (code = satchel_transaction_add(&to, transaction, "bob", 10)) < 0) {
    satchel_transaction_rollback(transaction);
    return fail("add", code);
  }
  code = satchel_transaction_commit(&revision, transaction);
  if (code < 0) return fail("commit", code);
  printf("alice %" PRId64 ", bob %" PRId64 ", revision %" PRIu64 "\n", from, to, revision);
  satchel_settings_close(settings);
  return 0;
}
