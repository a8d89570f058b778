// Requests a signal when a folder changes.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(fcntl(0, F_NOTIFY, DN_CREATE | DN_MULTISHOT));
  return x + 1;
}
