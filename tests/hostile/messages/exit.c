// Ends the process in a call, past the library.
// outcome: found
// finding: exception: ended the process, with status 0
#include "attack.h"

double attack(double x) {
  if (x > 10)
    syscall(SYS_exit_group, 0);
  return x + 1;
}
