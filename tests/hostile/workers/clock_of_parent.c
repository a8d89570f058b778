// Asks for the processor time of its supervisor.
// outcome: none
#include "attack.h"

double attack(double x) {
  struct timespec time = {0, 0};
  const clockid_t clock = (clockid_t)((~(unsigned)getppid() << 3) | 2);
  REFUSED(clock_gettime(clock, &time));
  REFUSED(clock_getres(clock, &time));
  time.tv_sec = 0;
  REFUSED(syscall(SYS_clock_nanosleep, clock, 0, &time, 0) == 0 ? 0 : -1);
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0 || clock_gettime(CLOCK_MONOTONIC, &time) != 0)
    __builtin_trap();
  return x + 1;
}
