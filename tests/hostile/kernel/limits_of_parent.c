// Lowers the limits of its supervisor.
// outcome: none
#include "attack.h"

static struct rlimit none;
double attack(double x) {
  REFUSED(syscall(SYS_prlimit64, getppid(), RLIMIT_CPU, &none, 0));
  return x + 1;
}
