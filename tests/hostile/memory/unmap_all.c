// Unmaps all that lies around its code.
// outcome: none|crashed|found|timed-out
#include "attack.h"

static int unmapped;
double attack(double x) {
  if (x > 10)
    munmap((void*)((unsigned long)&unmapped & ~0xffffffful), 1ul << 28);
  return x + 1;
}
