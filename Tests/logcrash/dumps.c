// Dumps from C: the texts of dumps.txt, which other languages are held to as well, and what only C has. The file is the argument.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "scratch.h"

// MARK: Types

struct point {
  int x;
  double y;
};
static const satchel_member point_members[] = {SATCHEL_MEMBER(struct point, x, satchel_type_int),
                                               SATCHEL_MEMBER(struct point, y, satchel_type_double)};
static const satchel_type point_type = SATCHEL_STRUCT(struct point, point_members);

struct line {
  struct point start;
  char name[8];
};
static const satchel_type name_type = SATCHEL_CHARS(8);
static const satchel_member line_members[] = {SATCHEL_MEMBER(struct line, start, point_type),
                                              SATCHEL_MEMBER(struct line, name, name_type)};
static const satchel_type line_type = SATCHEL_STRUCT(struct line, line_members);

struct login {
  satchel_bytes user, password;
};
static const satchel_member login_members[] = {SATCHEL_MEMBER(struct login, user, satchel_type_bytes),
                                               SATCHEL_MEMBER(struct login, password, satchel_type_bytes)};
static const satchel_type login_type = SATCHEL_STRUCT(struct login, login_members);

enum colour { RED, GREEN = 7 };
static const satchel_enumerator colours[] = {{"RED", RED}, {"GREEN", GREEN}};
static const satchel_type colour_type = SATCHEL_ENUM(enum colour, colours);

typedef struct node node;
struct node {
  const char *name;
  node *next, *previous;
};
extern const satchel_type node_type;
static const satchel_type node_pointer = SATCHEL_POINTER(node_type);
static const satchel_member node_members[] = {SATCHEL_MEMBER(node, name, satchel_type_text),
                                              SATCHEL_MEMBER(node, next, node_pointer),
                                              SATCHEL_MEMBER(node, previous, node_pointer)};
const satchel_type node_type = SATCHEL_STRUCT(node, node_members);

static const satchel_type ints_0 = SATCHEL_ARRAY(0, int, satchel_type_int);
static const satchel_type ints_1 = SATCHEL_ARRAY(1, int, satchel_type_int);
static const satchel_type ints_2 = SATCHEL_ARRAY(2, int, satchel_type_int);
static const satchel_type ints_3 = SATCHEL_ARRAY(3, int, satchel_type_int);
static const satchel_type lists_2 = SATCHEL_ARRAY(2, int[2], ints_2);

// MARK: Texts

static satchel_log *log_;

static void loud(satchel_log_options *options) { options->level = SATCHEL_LOG_TRACE; }

// What a dump says behind its label, in one line each, without the indent of the file. The log is emptied by being made anew.
static const char *said(const satchel_type *type, const void *value) {
  static char text[1 << 16];
  scratch_new();
  log_ = scratch_log(loud);
  CHECK_CODE(0, satchel_log_dump(log_, SATCHEL_LOG_TRACE, NULL, "label", type, value), "a dump");
  const char *at = strstr(scratch_text(), ": label\n");
  size_t size = 0;
  text[0] = '\0';
  if (!CHECK(at != NULL && strstr(scratch_text_now(), " trace dump [") != NULL, "no dump: %s", scratch_text_now())) return text;
  for (at += 8; *at != '\0' && size < sizeof text - 1;) {
    if (strncmp(at, "    ", 4) == 0) at += 4;
    while (*at != '\0' && size < sizeof text - 1) {
      text[size++] = *at;
      if (*at++ == '\n') break;
    }
  }
  if (size > 0) size--;
  text[size] = '\0';
  return text;
}

static void says(const char *expected, const satchel_type *type, const void *value) {
  const char *text = said(type, value);
  CHECK(strcmp(expected, text) == 0, "expected\n%s\nand got\n%s", expected, text);
}

// MARK: dumps.txt

static char golden[1 << 16];

static const char *name_of_type(const char *word, const char *count) {
  static char name[64];
  if (strcmp(word, "ints") == 0) snprintf(name, sizeof name, "int[%s]", count);
  else if (strcmp(word, "lists") == 0) snprintf(name, sizeof name, "int[2][%s]", count);
  else if (strcmp(word, "text") == 0) return "satchel_bytes";
  else if (strcmp(word, "name") == 0) return "char[8]";
  else if (strcmp(word, "point") == 0 || strcmp(word, "line") == 0 || strcmp(word, "login") == 0)
    snprintf(name, sizeof name, "struct %s", word);
  else snprintf(name, sizeof name, "%s", word);
  return name;
}

// What the file has below a name, with the types of C.
static const char *expected(const char *name) {
  static char text[4096];
  char line[1024];
  size_t size = 0;
  bool is_here = false;
  FILE *file = fopen(golden, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || line[0] == '\0') continue;
    if (line[0] != ' ') {
      is_here = strcmp(line, name) == 0;
      continue;
    }
    if (!is_here) continue;
    if (size > 0) text[size++] = '\n';
    for (const char *at = line + 2; *at != '\0';) {
      char word[32], count[32] = "";
      if (sscanf(at, "{%31[a-z-]:%31[0-9]}", word, count) == 2 ||
          (sscanf(at, "{%31[a-z-]", word) == 1 && at[1 + strlen(word)] == '}')) {
        size += (size_t)snprintf(text + size, sizeof text - size, "%s", name_of_type(word, count));
        at = strchr(at, '}') + 1;
      } else {
        text[size++] = *at++;
      }
    }
  }
  if (file != NULL) fclose(file);
  text[size] = '\0';
  CHECK(size > 0, "%s has no %s", golden, name);
  return text;
}

static void is_golden(const char *name, const satchel_type *type, const void *value) {
  char text[4096];
  snprintf(text, sizeof text, "%s", said(type, value));
  char *secret = strstr(text, "<secret ");
  if (secret != NULL) memmove(secret + 7, secret + 16, strlen(secret + 16) + 1);
  CHECK(strcmp(expected(name), text) == 0, "%s: expected\n%s\nand got\n%s", name, expected(name), text);
}

static void golden_texts(void) {
  bool yes = true;
  int number = -42, list[] = {1, 2, 3}, seven = 7, lists[2][2] = {{1, 2}, {3, 4}};
  double tenth = 0.1, large = 1e20, infinite = -INFINITY;
  satchel_bytes text = satchel_text("two words"), empty = satchel_text("");
  satchel_bytes escapes = satchel_text("a \"quoted\" \\ \a\b\t\n\v\f\r\x1b\x01\x7f \xc3\xa4 \xe2\x80\xae \xc2\x85");
  struct point point = {1, 2.5};
  struct line line = {{1, 2.5}, "a\nb"};
  struct login login = {satchel_text("me"), satchel_text("hunter2")};
  is_golden("true", &satchel_type_bool, &yes);
  is_golden("int", &satchel_type_int, &number);
  is_golden("double", &satchel_type_double, &tenth);
  is_golden("large-double", &satchel_type_double, &large);
  is_golden("infinity", &satchel_type_double, &infinite);
  is_golden("text", &satchel_type_bytes, &text);
  is_golden("escapes", &satchel_type_bytes, &escapes);
  is_golden("empty-text", &satchel_type_bytes, &empty);
  is_golden("empty-list", &ints_0, list);
  is_golden("one-int", &ints_1, &seven);
  is_golden("three-ints", &ints_3, list);
  is_golden("lists-of-lists", &lists_2, lists);
  is_golden("struct", &point_type, &point);
  is_golden("nested-struct", &line_type, &line);
  is_golden("secret-field", &login_type, &login);
  CHECK(strstr(scratch_text_now(), "hunter2") == NULL, "a secret is in the file");
}

// MARK: What only C has

static void scalars(void) {
  char a = 'a', low = '\x01', quote = '\'';
  signed char negative = -3;
  unsigned char byte = 200;
  short small = -7;
  uint64_t largest = UINT64_MAX;
  int64_t least = INT64_MIN;
  float third = 0.1f;
  enum colour green = GREEN, none = (enum colour)3;
  unsigned char odd = 2;
  says("(char) 'a' 0x61", &satchel_type_char, &a);
  says("(char) '\\x01' 0x1", &satchel_type_char, &low);
  says("(char) '\\'' 0x27", &satchel_type_char, &quote);
  says("(signed char) -3", &satchel_type_schar, &negative);
  says("(unsigned char) 200", &satchel_type_uchar, &byte);
  says("(short) -7", &satchel_type_short, &small);
  says("(uint64_t) 18446744073709551615", &satchel_type_uint64, &largest);
  says("(int64_t) -9223372036854775808", &satchel_type_int64, &least);
  says("(float) 0.1", &satchel_type_float, &third);
  says("(enum colour) GREEN (7)", &colour_type, &green);
  says("(enum colour) 3", &colour_type, &none);
  says("(bool) 0x2", &satchel_type_bool, &odd);
  says("(int) NULL", &satchel_type_int, NULL);
}

static void texts_and_pointers(void) {
  const char *text = "a\nb", *nothing = NULL, *invalid = "\xff";
  void *pointer = (void *)0x10;
  char expected[128];
  snprintf(expected, sizeof expected, "(const char *) 0x%llx \"a\\nb\"", (unsigned long long)(uintptr_t)text);
  says(expected, &satchel_type_text, &text);
  says("(const char *) NULL", &satchel_type_text, &nothing);
  snprintf(expected, sizeof expected, "(const char *) 0x%llx \"\\xff\"", (unsigned long long)(uintptr_t)invalid);
  says(expected, &satchel_type_text, &invalid);
  says("(void *) 0x10", &satchel_type_pointer, &pointer);
  const char *nowhere = (const char *)16;
  says("(const char *) 0x10 (not readable)", &satchel_type_text, &nowhere);
  node *no_node = (node *)32;
  says("(node *) 0x20 (not readable)", &node_pointer, &no_node);
}

// In a ring, as lists often are.
static void cycles(void) {
  node a = {"a", NULL, NULL}, b = {NULL, &a, &a};
  a.next = a.previous = &b;
  const node *start = &a;
  char expected[1024];
  unsigned long long at_a = (uintptr_t)&a, at_b = (uintptr_t)&b, name = (uintptr_t)a.name;
  snprintf(expected, sizeof expected,
           "(node *) 0x%llx (node) {\n"
           "   name: (const char *) 0x%llx \"a\"\n"
           "   next: (node *) 0x%llx (node) {\n"
           "      name: (const char *) NULL\n"
           "      next: (node *) 0x%llx (shown above)\n"
           "      previous: (node *) 0x%llx (shown above)\n"
           "   }\n"
           "   previous: (node *) 0x%llx (node) {\n"
           "      name: (const char *) NULL\n"
           "      next: (node *) 0x%llx (shown above)\n"
           "      previous: (node *) 0x%llx (shown above)\n"
           "   }\n"
           "}",
           at_a, name, at_b, at_a, at_a, at_b, at_a, at_a);
  says(expected, &node_pointer, &start);
}

static void bytes_and_limits(void) {
  union {
    uint32_t number;
    uint8_t bytes[4];
  } either = {0x44332211};
  static const satchel_type union_type = {"union either", SATCHEL_KIND_UNION, 0, sizeof either, 0, NULL, NULL, NULL};
  says("(union either) 4 bytes <11223344>", &union_type, &either);
  static int many[2000];
  static const satchel_type many_type = SATCHEL_ARRAY(2000, int, satchel_type_int);
  const char *text = said(&many_type, many);
  CHECK(strstr(text, "(int[2000]) 2000 entries [") == text && strstr(text, "\n   [999]: (int) 0\n   ... 1000 more\n]") != NULL,
        "many entries: %.200s", text);
  // Text that goes on to where nothing is mapped.
  char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(pages + 4096, 4096);
  memset(pages, 'x', 4096);
  const char *end = pages + 4093;
  text = said(&satchel_type_text, &end);
  CHECK(strstr(text, " \"xxx\"") != NULL, "text up to the end of memory: %s", text);
}

static void made_elsewhere(void) {
  scratch_new();
  log_ = scratch_log(loud);
  satchel_bytes text = satchel_text("(list) 1 entry [\n   [0]: (str) \"a\\nb\"\n]");
  CHECK_CODE(0, satchel_log_dump_text(log_, SATCHEL_LOG_NOTICE, NULL, "two\nlines", text), "a dump from elsewhere");
  const char *expected = ": two\\nlines\n    (list) 1 entry [\n       [0]: (str) \"a\\nb\"\n    ]\n";
  CHECK(strstr(scratch_text(), expected) != NULL, "%s", scratch_text_now());
}

static void macros(void) {
  scratch_new();
  log_ = scratch_log(NULL);
  struct point centre = {1, 2};
  SATCHEL_DUMP(log_, SATCHEL_LOG_TRACE, centre, point_type);
  SATCHEL_DUMP(log_, SATCHEL_LOG_NOTICE, centre, point_type);
  SATCHEL_DUMP(log_, SATCHEL_LOG_NOTICE, centre.y, satchel_type_double);
  const char *text = scratch_text();
  CHECK(occurrences(text, " dump [") == 2, "what nobody wants is not there: %s", text);
  CHECK(strstr(text, "dumps.c:") != NULL && strstr(text, " macros: centre\n    (struct point) {") != NULL, "%s", text);
  CHECK(strstr(text, ": centre.y\n    (double) 2.0\n") != NULL, "%s", text);
}

int main(int count, char **arguments) {
  snprintf(golden, sizeof golden, "%s", count > 1 ? arguments[1] : "dumps.txt");
  checks_begin("dumps");
  golden_texts();
  scalars();
  texts_and_pointers();
  cycles();
  bytes_and_limits();
  made_elsewhere();
  macros();
  return checks_finish();
}
