// What the Swift runtime inside libsatchel.so and the command need not look for each time a program starts. Each function stands
// in the place of the runtime's own: the file of libswiftCore.a that has it is then not linked. A runtime that needs more of
// that file does not link, and this is to be looked at again then.
#ifdef SATCHEL_STATIC_RUNTIME
#include <stddef.h>

char *swift_copyAuxiliaryExecutablePath(const char *name);
char **_swift_stdlib_getUnsafeArgvArgc(int *count);

// Where a program beside this one is: swift-backtrace, which is in none of our packages.
char *swift_copyAuxiliaryExecutablePath(const char *name) {
  (void)name;
  return NULL;
}

// What CommandLine has, which nothing here asks: the arguments, found by way of /proc/self/maps.
char **_swift_stdlib_getUnsafeArgvArgc(int *count) {
  static char *none[] = {NULL};
  *count = 0;
  return none;
}
#endif
