// Handles the signals of the clock itself, and never ends.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

static void nothing(int signal) { (void)signal; }
static struct sigaction own = {.sa_handler = nothing};
double attack(double x) {
  sigaction(SIGPROF, &own, 0);
  if (x > 10)
    for (volatile int i = 0;; i++)
      ;
  return x + 1;
}
