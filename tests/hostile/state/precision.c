// Changes the precision of the x87.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  unsigned short control = 0x007f;
  __asm__ volatile("fldcw %0" : : "m"(control));
  return x + 1;
}
