// The same with limits at an address whose lower half is zero.
// outcome: none
#include "attack.h"

double attack(double x) {
  struct rlimit* all =
      mmap((void*)0x100000000, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (all == MAP_FAILED)
    return x + 1;
  all->rlim_cur = all->rlim_max = RLIM_INFINITY;
  REFUSED(syscall(SYS_prlimit64, 0, RLIMIT_FSIZE, all, 0));
  return x + 1;
}
