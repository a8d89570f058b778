// Sets the clock.
// outcome: none
#include "attack.h"

static struct timespec zero;
double attack(double x) {
  REFUSED(clock_settime(CLOCK_REALTIME, &zero));
  return x + 1;
}
