// Truncates a file.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(truncate(PLACE "/victim", 0));
  return x + 1;
}
