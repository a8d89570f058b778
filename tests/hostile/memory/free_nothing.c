// Frees what was never allocated.
// outcome: none|crashed|found|timed-out
#include "attack.h"

double attack(double x) {
  static double values[8];
  if (x > 10)
    free(values + 1);
  return x + 1;
}
