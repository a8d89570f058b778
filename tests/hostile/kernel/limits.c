// Raises its limit on memory.
// outcome: none
#include "attack.h"

static struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
double attack(double x) {
  REFUSED(setrlimit(RLIMIT_AS, &all));
  return x + 1;
}
