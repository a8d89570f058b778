// Writes to code by the file of its memory.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(open("/proc/self/mem", O_RDWR));
  return x + 1;
}
