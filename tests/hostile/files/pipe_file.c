// Makes a named pipe.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(mknod(PLACE "/made", S_IFIFO | 0600, 0));
  return x + 1;
}
