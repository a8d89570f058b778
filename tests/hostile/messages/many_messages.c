// Sends progress for ever. The clock ends it, or the limit on what a worker may send.
// outcome: timed-out|unknown
#include "attack.h"

double attack(double x) {
  if (x > 10)
    for (;;)
      say("{\"progress\":1,\"reached\":1,\"sites\":1,\"phase\":\"\"}");
  return x + 1;
}
