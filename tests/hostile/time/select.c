// Waits for nothing.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

double attack(double x) {
  if (x > 10)
    select(0, 0, 0, 0, 0);
  return x + 1;
}
