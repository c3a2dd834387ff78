// The macros of dumps and assertions in C++.
#include <satchel/log.h>

struct point {
  int x;
  double y;
};
static const satchel_member point_members[] = {SATCHEL_MEMBER(point, x, satchel_type_int),
                                               SATCHEL_MEMBER(point, y, satchel_type_double)};
static const satchel_type point_type = SATCHEL_STRUCT(point, point_members);

bool uses(satchel_log *log, const point &centre) {
  SATCHEL_DUMP(log, SATCHEL_LOG_NOTICE, centre, point_type);
  SATCHEL_ASSERT(log, centre.x > 0, "%d", centre.x);
  SATCHEL_MUST_BE_OVERRIDDEN(log);
  SATCHEL_ASSERT_ON_MAIN_THREAD(log);
  return SATCHEL_VERIFY(log, centre.y > 0, "%f", centre.y) != 0;
}
