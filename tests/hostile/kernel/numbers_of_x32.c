// Calls the kernel by the numbers of x32.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(0x40000000 + 57));
  return x + 1;
}
