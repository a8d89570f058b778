// Aborts before the first call.
// outcome: refused
// alone
#include "attack.h"

__attribute__((constructor)) static void construct(void) { abort(); }

double attack(double x) { return x + 1; }
