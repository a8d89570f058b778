// Allocates for ever.
// outcome: crashed|found|timed-out
#include "attack.h"

double attack(double x) {
  while (x > 10)
    memset(malloc(1 << 20), 1, 1 << 20);
  return x + 1;
}
