// Removes a file.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(unlink(PLACE "/victim"));
  return x + 1;
}
