// Becomes another user.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(setuid(1));
  return x + 1;
}
