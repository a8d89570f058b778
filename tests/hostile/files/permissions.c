// Changes the permissions of a file.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(chmod(PLACE "/victim", 0777));
  return x + 1;
}
