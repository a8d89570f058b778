// Removes a folder.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(rmdir(PLACE "/folder"));
  return x + 1;
}
