// Gives a file away.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(chown(PLACE "/victim", 1, 1));
  return x + 1;
}
