// Lives on when its supervisor dies.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(prctl(PR_SET_PDEATHSIG, 0));
  return x + 1;
}
