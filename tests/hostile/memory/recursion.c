// Calls itself for ever.
// outcome: crashed|found
// finding: crash: stack overflow
#include "attack.h"

__attribute__((noinline)) static double deep(double x) { return x > 10 ? deep(x + 1) * 2 + 1 : x; }
double attack(double x) {
  x = deep(x);
  return x + 1;
}
