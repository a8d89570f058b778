// Destroys the registers of threads.
// outcome: crashed|found|timed-out|interrupted|unknown
#include "attack.h"

double attack(double x) {
  REFUSED(syscall(SYS_arch_prctl, 0x1002, 0));
  return x + 1;
}
