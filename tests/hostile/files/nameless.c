// Makes a file without a name.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(open(PLACE, O_TMPFILE | O_RDWR, 0600));
  return x + 1;
}
