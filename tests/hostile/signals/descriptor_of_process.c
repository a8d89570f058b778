// Kills by a descriptor of a process.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(424, syscall(434, VICTIM, 0), SIGKILL, 0, 0));
  return x + 1;
}
