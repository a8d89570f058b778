// Has subnormal numbers flushed to zero.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  unsigned control = 0x9fc0;
  __asm__ volatile("ldmxcsr %0" : : "m"(control));
  return x + 1;
}
