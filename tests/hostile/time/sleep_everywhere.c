// Sleeps in every call.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

double attack(double x) {
  sleep(100000);
  return x + 1;
}
