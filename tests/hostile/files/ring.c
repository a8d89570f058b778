// Opens files by a ring that system calls are not seen in.
// outcome: none
#include "attack.h"

static unsigned parameters[32];
double attack(double x) {
  REFUSED(syscall(425, 4, parameters));
  return x + 1;
}
