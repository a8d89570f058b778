// Kills its supervisor.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(kill(getppid(), SIGKILL));
  return x + 1;
}
