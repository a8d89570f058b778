// Traces its supervisor.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(ptrace(PTRACE_ATTACH, getppid(), 0, 0));
  return x + 1;
}
