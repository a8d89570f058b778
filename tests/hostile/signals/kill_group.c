// Kills its process group.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(kill(0, SIGKILL));
  return x + 1;
}
