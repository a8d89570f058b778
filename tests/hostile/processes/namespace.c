// Makes itself root of a namespace.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(unshare(CLONE_NEWUSER | CLONE_NEWNS));
  return x + 1;
}
