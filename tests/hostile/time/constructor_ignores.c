// Never comes to its first call, and ignores signals.
// outcome: timed-out
// alone
#include "attack.h"

static struct sigaction ignore = {.sa_handler = SIG_IGN};
__attribute__((constructor)) static void construct(void) {
  sigaction(SIGPROF, &ignore, 0);
  for (volatile int i = 0;; i++)
    ;
}

double attack(double x) { return x + 1; }
