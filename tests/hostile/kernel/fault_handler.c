// Handles page faults of others.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(323, 0));
  return x + 1;
}
