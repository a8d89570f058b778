// Jumps into data.
// outcome: crashed|found
// finding: crash
#include "attack.h"

double attack(double x) {
  static char data[16] = {0x0f, 0x0b};
  if (x > 10)
    ((void (*)(void))data)();
  return x + 1;
}
