// Traces its supervisor without stopping it.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(ptrace(PTRACE_SEIZE, getppid(), 0, 0));
  return x + 1;
}
