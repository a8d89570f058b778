// Reads a folder.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(open(PLACE, O_RDONLY | O_DIRECTORY));
  return x + 1;
}
