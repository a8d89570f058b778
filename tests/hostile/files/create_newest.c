// Creates a file by the newest call.
// outcome: none
#include "attack.h"

static unsigned long how[3] = {O_CREAT | O_WRONLY, 0600, 0};
double attack(double x) {
  REFUSED(syscall(437, AT_FDCWD, PLACE "/made", how, sizeof how));
  return x + 1;
}
