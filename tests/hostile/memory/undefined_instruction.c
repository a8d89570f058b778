// Executes an undefined instruction.
// outcome: crashed|found
// finding: crash
#include "attack.h"

double attack(double x) {
  if (x > 10)
    __asm__ volatile("ud2");
  return x + 1;
}
