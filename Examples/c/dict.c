/* Counts words, in the order in which they first come; then keeps the three that came last, as a cache does. */
#include <inttypes.h>
#include <satchel.h>
#include <stdio.h>
#include <string.h>

static int print(satchel_bytes key, const satchel_dict_value *value, void *context) {
  (void)context;
  printf("%-6s %" PRId64 "\n", (const char *)key.data, value->as.int64);
  return 0;
}

int main(void) {
  const char *text = "to be or not to be that is";
  satchel_dict *words = NULL, *recent = NULL;
  if (satchel_dict_new(&words, NULL) < 0 || satchel_dict_new(&recent, NULL) < 0) return 3;
  while (*text != '\0') {
    size_t size = strcspn(text, " ");
    satchel_bytes word = satchel_blob(text, size);
    int64_t count = 0; /* a failed get leaves it alone */
    satchel_dict_item oldest;
    (void)!satchel_dict_get_int64(&count, words, word);
    if (satchel_dict_set_int64(words, word, count + 1) < 0) return 3;
    /* An existing key keeps its place, so the last used one is moved. */
    if (satchel_dict_set_int64(recent, word, count + 1) < 0 || satchel_dict_move_to_end(recent, word) < 0) return 3;
    size_t entries = 0;
    if (satchel_dict_count(&entries, recent) == 0 && entries > 3 && satchel_dict_pop_first(&oldest, recent) == 0)
      satchel_dict_item_free(&oldest);
    text += size + (text[size] == ' ');
  }
  satchel_dict_foreach(words, print, NULL);
  puts("the last three:");
  satchel_dict_foreach(recent, print, NULL);
  satchel_dict_free(words);
  satchel_dict_free(recent);
  return 0;
}
