// Runs in real time.
// outcome: none
#include "attack.h"

static struct sched_param parameters = {1};
double attack(double x) {
  REFUSED(sched_setscheduler(0, SCHED_FIFO, &parameters));
  return x + 1;
}
