/* Bytes that grow, and what is said on standard output and standard error. */
#include "builtin.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

void text_add(text *text, const void *data, size_t size) {
  if (text->room < text->size + size + 1) {
    text->room = 2 * text->room + size + 64;
    text->data = xrealloc(text->data, text->room);
  }
  if (size > 0) memcpy(text->data + text->size, data, size);
  text->size += size;
  text->data[text->size] = '\0';
}

void text_add_string(text *text, const char *string) { text_add(text, string, strlen(string)); }

/* No more of it than fits a line. */
static void text_add_shortened(text *text, const char *string) {
  size_t characters = 0, kept = 0;
  for (size_t i = 0; string[i] != '\0'; i++) {
    if (((unsigned char)string[i] & 0xc0) == 0x80) continue; /* goes on with a character */
    if (characters++ == 97) kept = i;
  }
  if (characters <= 100) return text_add_string(text, string);
  text_add(text, string, kept);
  text_add_string(text, "...");
}

void text_add_byte(text *text, char byte) { text_add(text, &byte, 1); }

void text_add_buffer(text *text, satchel_buffer *buffer) {
  text_add(text, buffer->data, buffer->size);
  satchel_buffer_free(buffer);
}

void text_free(text *text) {
  free(text->data);
  *text = (struct text){NULL, 0, 0};
}

/* How many bytes the control character at `p` has: U+0000 … U+001F, U+007F … U+009F, U+2028 and U+2029; 0 for others. */
static size_t control_size(const unsigned char *p, size_t left) {
  if (p[0] < 0x20 || p[0] == 0x7f) return 1;
  if (p[0] == 0xc2 && left > 1 && p[1] >= 0x80 && p[1] < 0xa0) return 2;
  if (p[0] == 0xe2 && left > 2 && p[1] == 0x80 && (p[2] == 0xa8 || p[2] == 0xa9)) return 3;
  return 0;
}

static void add_octal(text *out, unsigned char byte) {
  char digits[8];
  snprintf(digits, sizeof digits, "\\0%03o", byte);
  text_add_string(out, digits);
}

static void add_escaped(text *out, const char *data, size_t size, bool backslash, bool is_key) {
  const unsigned char *p = (const unsigned char *)data;
  for (size_t i = 0; i < size; i++) {
    size_t control = control_size(p + i, size - i);
    if (p[i] == '\\' && backslash) text_add(out, "\\\\", 2);
    else if (p[i] == '\n') text_add(out, "\\n", 2);
    else if (p[i] == '\t') text_add(out, "\\t", 2);
    else if (p[i] == '\r') text_add(out, "\\r", 2);
    else if (control > 0) {
      for (size_t byte = 0; byte < control; byte++) add_octal(out, p[i + byte]);
      i += control - 1;
    } else if (p[i] == '=' && is_key) add_octal(out, '=');
    else text_add_byte(out, (char)p[i]);
  }
}

void text_add_escaped(text *text, const char *data, size_t size, bool is_key) { add_escaped(text, data, size, true, is_key); }

bool is_utf8(const char *string) {
  const unsigned char *p = (const unsigned char *)string;
  while (*p != '\0' && *p < 0x80) p++;
  if (*p == '\0') return true;
  satchel_value *value = NULL;
  int code = satchel_value_new_string(&value, satchel_text(string));
  satchel_value_free(value);
  return code == SATCHEL_OK;
}

/* 0 or an errno. */
static int write_all(int descriptor, const text *text) {
  for (size_t done = 0; done < text->size;) {
    ssize_t count = write(descriptor, text->data + done, text->size - done);
    if (count >= 0) done += (size_t)count;
    else if (errno != EINTR) return errno;
    else if (is_interrupted()) return EINTR;
  }
  return 0;
}

int print(const text *text) {
  int error = write_all(STDOUT_FILENO, text);
  if (error == 0) return DONE;
  /* Nobody reads any more: quietly, as programs end that do not ignore the signal. */
  if (error == EPIPE) return 128 + SIGPIPE;
  if (error == EINTR) return 128 + SIGINT;
  tell("cannot write to standard output: %s", strerror(error));
  return FAILED;
}

void tell(const char *format, ...) {
  va_list arguments;
  char *line = NULL;
  va_start(arguments, format);
  int size = vasprintf(&line, format, arguments);
  va_end(arguments);
  if (size < 0) return;
  text said = {NULL, 0, 0};
  text_add_string(&said, "satchel: ");
  add_escaped(&said, line, (size_t)size, false, false);
  text_add_byte(&said, '\n');
  write_all(STDERR_FILENO, &said);
  text_free(&said);
  free(line);
}

int exit_code_of(int code) {
  switch (code) {
  case SATCHEL_OK:
    return DONE;
  case SATCHEL_ENOTFOUND:
  case SATCHEL_EGONE:
    return NO;
  case SATCHEL_ETYPE:
  case SATCHEL_EINVAL:
  case SATCHEL_EPARSE:
    return USAGE;
  case SATCHEL_EDENIED:
  case SATCHEL_EREADONLY:
  case SATCHEL_ELOCKED:
    return DENIED;
  case SATCHEL_ECORRUPT:
    return CORRUPT;
  case SATCHEL_EEXISTS:
  case SATCHEL_ECONFLICT:
    return CONFLICT;
  case SATCHEL_ERANGE:
  case SATCHEL_ETIMEOUT:
  case SATCHEL_ENOMEM:
    return LIMIT;
  default:
    return FAILED;
  }
}

/* What it is about comes first: domain, key, and the path where the sentence does not have it. */
void tell_of_key(const char *domain, const char *key, const char *reason) {
  text shown = {NULL, 0, 0};
  text_add_shortened(&shown, key);
  tell("%s: %s: %s", domain, shown.data, reason);
  text_free(&shown);
}

int tell_failure(int code) {
  const satchel_error *error = satchel_last_error();
  text line = {NULL, 0, 0};
  const char *const subjects[] = {error->domain, error->key};
  for (int i = 0; i < 2; i++) {
    if (subjects[i] == NULL) continue;
    text_add_shortened(&line, subjects[i]);
    text_add_string(&line, ": ");
  }
  text_add_string(&line, error->message);
  if (error->path != NULL && strstr(error->message, error->path) == NULL) {
    text_add_string(&line, " (");
    text_add_string(&line, error->path);
    text_add_string(&line, ")");
  }
  tell("%s", line.data);
  text_free(&line);
  if (code == SATCHEL_ENOTFOUND && error->key == NULL) tell("satchel domains lists them");
  if (code == SATCHEL_ETIMEOUT) tell("--timeout SECONDS waits longer");
  if (code == SATCHEL_EVERSION) tell("a newer satchel reads it");
  return exit_code_of(code);
}
