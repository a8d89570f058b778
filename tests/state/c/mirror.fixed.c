// The depth of a mirror at a distance from its axis. A callback that is not used stays null.
#include <math.h>

typedef struct {
  void (*on_change)(void);
  double radius, depth;
} Mirror;

void move_to(Mirror* mirror, double distance) {
  double r = fabs(mirror->radius) + fabs(distance);
  mirror->depth = distance * distance / (r + sqrt((r - distance) * (r + distance)));
}
