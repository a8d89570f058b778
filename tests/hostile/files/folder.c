// Makes a folder.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(mkdir(PLACE "/made", 0700));
  return x + 1;
}
