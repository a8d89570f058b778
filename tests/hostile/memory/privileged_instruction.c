// Executes an instruction of the kernel.
// outcome: crashed|found
// finding: crash
#include "attack.h"

double attack(double x) {
  if (x > 10)
    __asm__ volatile("hlt");
  return x + 1;
}
