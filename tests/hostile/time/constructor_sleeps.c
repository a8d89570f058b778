// Sleeps before the first call.
// outcome: timed-out
// alone
#include "attack.h"

__attribute__((constructor)) static void construct(void) { pause(); }

double attack(double x) { return x + 1; }
