// Kills by the oldest call for threads.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(SYS_tkill, VICTIM, SIGKILL));
  return x + 1;
}
