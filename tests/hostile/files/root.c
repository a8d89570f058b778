// Changes its root.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(chroot(PLACE));
  return x + 1;
}
