// Runs before all others.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(setpriority(PRIO_PROCESS, 0, -20));
  return x + 1;
}
