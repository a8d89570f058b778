// Has a frame that is larger than memory.
// outcome: crashed|found
// finding: crash
#include "attack.h"

double attack(double x) {
  volatile unsigned long size = 1ul << 34;
  if (x > 10) {
    volatile char* bytes = __builtin_alloca(size);
    bytes[0] = 1;
    return bytes[77] * x;
  }
  return x + 1;
}
