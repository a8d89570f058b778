// Kills itself in many calls: restarts share one allowance.
// outcome: crashed
// finding: crash: killed the worker process
#include "attack.h"

double attack(double x) {
  if (x > 10)
    kill(getpid(), SIGKILL);
  return x + 1;
}
