// Makes a symbolic link.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(symlink(PLACE "/victim", PLACE "/made"));
  return x + 1;
}
