// Writes to address 0.
// outcome: crashed|found
// finding: crash
#include "attack.h"

double attack(double x) {
  if (x > 10)
    *(volatile int*)0 = 1;
  return x + 1;
}
