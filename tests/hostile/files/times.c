// Changes the times of a file.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(utimensat(AT_FDCWD, PLACE "/victim", 0, 0));
  return x + 1;
}
