// Leaves its session.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(setsid());
  return x + 1;
}
