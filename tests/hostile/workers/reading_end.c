// Opens the reading end of its own channel, where it could take back what the supervisor has seen.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(open("/proc/self/fd/3", O_RDONLY | O_NONBLOCK));
  REFUSED(open("/dev/fd/3", O_RDONLY | O_NONBLOCK));
  REFUSED(open("/proc/thread-self/fd/3", O_RDONLY | O_NONBLOCK));
  return x + 1;
}
