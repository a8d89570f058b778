// Renames the machine.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(sethostname("made", 4));
  return x + 1;
}
