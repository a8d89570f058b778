// Closes the channel before the first call.
// outcome: interrupted|timed-out
// alone
#include "attack.h"

__attribute__((constructor)) static void construct(void) { close(3); }

double attack(double x) { return x + 1; }
