// Makes a process by the call below fork.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  return x + 1;
}
