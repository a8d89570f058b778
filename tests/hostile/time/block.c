// Blocks all signals and never ends.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

double attack(double x) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, 0);
  if (x > 10)
    for (volatile int i = 0;; i++)
      ;
  return x + 1;
}
