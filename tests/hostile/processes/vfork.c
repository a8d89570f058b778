// Forks without a copy of its memory.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(SYS_vfork));
  return x + 1;
}
