// Renames a file.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(rename(PLACE "/victim", PLACE "/made"));
  return x + 1;
}
