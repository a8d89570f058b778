// Ends the process before the first call.
// outcome: interrupted
// alone
#include "attack.h"

__attribute__((constructor)) static void construct(void) { syscall(SYS_exit_group, 0); }

double attack(double x) { return x + 1; }
