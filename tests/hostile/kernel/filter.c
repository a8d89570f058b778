// Adds a filter that breaks the calls of its own worker.
// outcome: none
#include "attack.h"

static unsigned long filter[2];
double attack(double x) {
  REFUSED(prctl(PR_SET_SECCOMP, 2, &filter));
  return x + 1;
}
