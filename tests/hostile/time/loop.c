// Never ends.
// outcome: timed-out
// finding: timeout
#include "attack.h"

double attack(double x) {
  if (x > 10)
    for (volatile int i = 0;; i++)
      ;
  return x + 1;
}
