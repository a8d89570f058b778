// Makes a file in memory.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(memfd_create("made", 0));
  return x + 1;
}
