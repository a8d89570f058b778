// Gives the processor away for ever, with signals ignored.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

static struct sigaction ignore = {.sa_handler = SIG_IGN};
double attack(double x) {
  for (int signal = 1; signal < 65; signal++)
    sigaction(signal, &ignore, 0);
  while (x > 10)
    sched_yield();
  return x + 1;
}
