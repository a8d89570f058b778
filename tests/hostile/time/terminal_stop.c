// Stops itself as a terminal would.
// outcome: timed-out|none
#include "attack.h"

double attack(double x) {
  if (x > 10)
    kill(getpid(), SIGTSTP);
  return x + 1;
}
