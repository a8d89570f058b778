// Takes capabilities.
// outcome: none
#include "attack.h"

static unsigned header[2] = {0x20080522}, data[6] = {1, 1, 1};
double attack(double x) {
  REFUSED(syscall(SYS_capset, header, data));
  return x + 1;
}
