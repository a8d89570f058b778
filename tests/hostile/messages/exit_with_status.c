// The same, with a status.
// outcome: found
// finding: exception: ended the process, with status 2
#include "attack.h"

double attack(double x) {
  if (x > 10)
    syscall(SYS_exit_group, 2);
  return x + 1;
}
