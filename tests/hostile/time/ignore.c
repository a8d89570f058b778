// Ignores all signals and never ends.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

static struct sigaction ignore = {.sa_handler = SIG_IGN};
double attack(double x) {
  for (int signal = 1; signal < 65; signal++)
    sigaction(signal, &ignore, 0);
  if (x > 10)
    for (volatile int i = 0;; i++)
      ;
  return x + 1;
}
