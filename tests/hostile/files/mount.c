// Mounts something over a folder.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(mount("none", PLACE "/folder", "tmpfs", 0, 0));
  return x + 1;
}
