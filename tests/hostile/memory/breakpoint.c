// Executes a breakpoint.
// outcome: crashed|found
// finding: crash
#include "attack.h"

double attack(double x) {
  if (x > 10)
    __asm__ volatile("int3");
  return x + 1;
}
