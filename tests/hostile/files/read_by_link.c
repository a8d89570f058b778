// Reads a file by the link that /proc has of its root.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(open("/proc/self/root" PLACE "/secret", O_RDONLY));
  return x + 1;
}
