// Aborts before the first call.
// outcome: unknown
// alone
#include "attack.h"

__attribute__((constructor)) static void construct(void) {
  abort();
}

double attack(double x) { return x + 1; }
