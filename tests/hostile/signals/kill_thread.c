// Kills a thread of its supervisor.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(SYS_tgkill, getppid(), getppid(), SIGKILL));
  return x + 1;
}
