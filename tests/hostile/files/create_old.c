// Creates a file by the old call.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(creat(PLACE "/made", 0600));
  return x + 1;
}
