// Calls the kernel by the numbers of x32.
// outcome: crashed|found
// finding: crash: killed the worker process
#include "attack.h"

double attack(double x) {
  if (x > 10)
    REFUSED(syscall(0x40000000 + 57));
  return x + 1;
}
