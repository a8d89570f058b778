// Waits for its own channel.
// outcome: timed-out|found
#include "attack.h"

double attack(double x) {
  struct pollfd channel = {3, POLLIN, 0};
  if (x > 10)
    poll(&channel, 1, -1);
  return x + 1;
}
