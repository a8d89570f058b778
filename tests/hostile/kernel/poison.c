// Poisons a page of the machine's memory.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(madvise((void*)0, 0, 100));
  return x + 1;
}
