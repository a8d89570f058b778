// Opens the memory of its supervisor.
// outcome: none
#include "attack.h"

double attack(double x) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/mem", getppid());
  REFUSED(open(name, O_RDONLY));
  return x + 1;
}
