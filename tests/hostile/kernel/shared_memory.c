// Makes shared memory that stays.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600));
  return x + 1;
}
