// Stops itself.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

double attack(double x) {
  if (x > 10)
    kill(getpid(), SIGSTOP);
  return x + 1;
}
