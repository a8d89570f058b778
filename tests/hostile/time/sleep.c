// Sleeps.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

double attack(double x) {
  if (x > 10)
    sleep(100000);
  return x + 1;
}
