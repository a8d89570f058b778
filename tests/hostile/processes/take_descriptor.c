// Takes a descriptor of its supervisor.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(438, syscall(434, getppid(), 0), 1, 0));
  return x + 1;
}
