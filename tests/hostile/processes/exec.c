// Becomes another program.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(execl("/bin/touch", "touch", PLACE "/made", (char*)0));
  return x + 1;
}
