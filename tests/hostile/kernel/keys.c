// Looks for keys.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(SYS_keyctl, 0, -3, 0));
  return x + 1;
}
