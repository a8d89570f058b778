// Changes the folder that it works in.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(chdir(PLACE));
  return x + 1;
}
