/* Sleeps until somebody changes the domain, in any language; costs nothing meanwhile. watch DOMAIN [SECONDS] */
#include <inttypes.h>
#include <satchel.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  satchel_settings *settings = NULL;
  uint64_t revision = 0;
  int64_t timeout = (argc > 2 ? atoll(argv[2]) : 1) * INT64_C(1000000000);

  int code = satchel_settings_open(&settings, argc > 1 ? argv[1] : "org.example.player", NULL);
  if (code == 0) code = satchel_settings_revision(&revision, settings);
  while (code == 0 && (code = satchel_settings_wait(&revision, settings, revision, timeout)) == 0)
    printf("revision %" PRIu64 "\n", revision);
  satchel_settings_close(settings);
  if (code == SATCHEL_ETIMEOUT) return 0;
  fprintf(stderr, "watch: %s\n", satchel_strerror(code));
  return 3;
}
