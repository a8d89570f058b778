// Switches the timer off and never ends.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

double attack(double x) {
  struct itimerval never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &never, 0);
  if (x > 10)
    for (volatile int i = 0;; i++)
      ;
  return x + 1;
}
