// The same by ioctl.
// outcome: none
#include "attack.h"

double attack(double x) {
  int on = 1, owner = VICTIM;
  REFUSED(ioctl(3, FIOSETOWN, &owner));
  REFUSED(ioctl(3, FIOASYNC, &on));
  return x + 1;
}
