// Exchanges two files.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(SYS_renameat2, AT_FDCWD, PLACE "/victim", AT_FDCWD, PLACE "/secret", 2));
  return x + 1;
}
