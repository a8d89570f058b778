// Has the kernel kill another process when the channel can be written to.
// outcome: none
#include "attack.h"

double attack(double x) {
  fcntl(3, F_SETOWN, VICTIM);
  fcntl(3, F_SETSIG, SIGKILL);
  fcntl(3, F_SETFL, O_WRONLY | O_ASYNC);
  return x + 1;
}
