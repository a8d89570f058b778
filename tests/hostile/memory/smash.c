// Writes over its stack.
// outcome: none|crashed|found|timed-out
#include "attack.h"

double attack(double x) {
  char bytes[16];
  volatile int count = 100000;
  if (x > 10)
    memset(bytes, 65, count);
  x += bytes[0] * 0;
  return x + 1;
}
