// Leaves its process group, and so the reach of the terminal.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(setpgid(0, 0));
  return x + 1;
}
