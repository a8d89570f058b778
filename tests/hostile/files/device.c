// Opens the memory of the machine.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(open("/dev/mem", O_RDONLY));
  return x + 1;
}
