// Reads the environment of its supervisor, where secrets may be.
// outcome: none
#include "attack.h"

double attack(double x) {
  char name[64];
  snprintf(name, sizeof name, "/proc/%d/environ", getppid());
  REFUSED(open(name, O_RDONLY));
  return x + 1;
}
