// Sends progress for ever.
// outcome: timed-out
// finding: timeout
#include "attack.h"

double attack(double x) {
  if (x > 10)
    for (;;)
      say("{\"progress\":1,\"reached\":1,\"sites\":1,\"phase\":\"\"}");
  return x + 1;
}
