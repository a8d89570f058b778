// Makes a timer that sends signals.
// outcome: none
#include "attack.h"

static timer_t timer;
static struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
double attack(double x) {
  REFUSED(timer_create(CLOCK_REALTIME, &event, &timer));
  return x + 1;
}
