// Gives a file an extended attribute.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(setxattr(PLACE "/victim", "user.made", "x", 1, 0));
  return x + 1;
}
