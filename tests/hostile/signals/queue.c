// Kills by a queued signal.
// outcome: none
#include "attack.h"

static union sigval value;
double attack(double x) {
  REFUSED(sigqueue(VICTIM, SIGKILL, value));
  return x + 1;
}
