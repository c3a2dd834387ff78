#include "ledger.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

ledger *ledger_open(const char *path, bool fresh) {
  int file = open(path, O_RDWR | O_CLOEXEC | (fresh ? O_CREAT | O_TRUNC : 0), 0600);
  if (file < 0) return NULL;
  if (fresh && ftruncate(file, sizeof(ledger)) != 0) return NULL;
  void *memory = mmap(NULL, sizeof(ledger), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? NULL : memory;
}

void ledger_close(ledger *book) { munmap(book, sizeof *book); }

int ledger_stream(ledger *book) {
  unsigned stream = atomic_fetch_add(&book->next, 1);
  return stream < STREAMS ? (int)stream : -1;
}

static unsigned mixed(unsigned stream, unsigned record) {
  unsigned h = stream * 2654435761u ^ record * 40503u;
  h ^= h >> 15;
  return h * 2246822519u ^ (h >> 13);
}

static size_t length_of(unsigned h) {
  if (h % 1024 == 1) return 40000; /* for the direct file */
  if (h % 64 == 2) return 3000;
  return h / 64 % 120;
}

size_t message_of(char out[LONGEST_MESSAGE], unsigned stream, unsigned record) {
  unsigned h = mixed(stream, record);
  size_t size = (size_t)sprintf(out, "s=%u n=%u ", stream, record), more = length_of(h);
  for (size_t i = 0; i < more; i++) out[size++] = (char)('a' + (record + i) % 26);
  if (h % 16 == 3 && more > 2) out[size - more / 2] = '\n';
  return size + (size_t)sprintf(out + size, " end%u", h & 1023);
}

bool message_read(const char *message, size_t size, unsigned *stream, unsigned *record) {
  char head[32], wanted[LONGEST_MESSAGE];
  size_t count = size < sizeof head - 1 ? size : sizeof head - 1;
  memcpy(head, message, count);
  head[count] = '\0';
  if (sscanf(head, "s=%u n=%u ", stream, record) != 2) return false;
  return message_of(wanted, *stream, *record) == size && memcmp(wanted, message, size) == 0;
}
