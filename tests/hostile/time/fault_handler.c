// Handles faults itself: the instruction is carried out for ever.
// outcome: timed-out
// finding: timeout: did not come back
#include "attack.h"

static void nothing(int signal) { (void)signal; }
static struct sigaction own = {.sa_handler = nothing};
double attack(double x) {
  sigaction(SIGSEGV, &own, 0);
  sigaction(SIGPROF, &own, 0);
  if (x > 10)
    *(volatile int*)8 = 1;
  return x + 1;
}
