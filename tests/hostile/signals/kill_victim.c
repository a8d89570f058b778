// Kills another process of the user.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(kill(VICTIM, SIGKILL));
  return x + 1;
}
