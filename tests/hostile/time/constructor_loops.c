// Never comes to its first call.
// outcome: timed-out|unknown
// alone
#include "attack.h"

__attribute__((constructor)) static void construct(void) {
  for (volatile int i = 0;; i++)
    ;
}

double attack(double x) { return x + 1; }
