// Waits for a signal.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

double attack(double x) {
  if (x > 10)
    pause();
  return x + 1;
}
