// Looks where its supervisor shares memory with it.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(open("/proc/self/maps", O_RDONLY));
  return x + 1;
}
