// Kills all processes that it may.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(kill(-1, SIGKILL));
  return x + 1;
}
