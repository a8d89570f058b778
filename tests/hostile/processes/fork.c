// Forks.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(fork());
  return x + 1;
}
