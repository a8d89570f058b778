// Takes the name of another program.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(prctl(PR_SET_NAME, "systemd"));
  return x + 1;
}
