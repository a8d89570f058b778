// Requests a signal when a process opens a file.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(fcntl(1, F_SETLEASE, F_RDLCK));
  return x + 1;
}
