// Sleeps a little in every call, so that no call is long.
// outcome: none|found|unknown|timed-out
#include "attack.h"

double attack(double x) {
  usleep(50000);
  return x + 1;
}
