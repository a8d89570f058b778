// Loads a program into the kernel.
// outcome: none
#include "attack.h"

static unsigned attributes[32];
double attack(double x) {
  REFUSED(syscall(321, 5, attributes, sizeof attributes));
  return x + 1;
}
