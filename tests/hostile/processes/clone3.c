// Makes a process by the newest call.
// outcome: none
#include "attack.h"

static unsigned long arguments[8];
double attack(double x) {
  REFUSED(syscall(SYS_clone3, arguments, sizeof arguments));
  return x + 1;
}
