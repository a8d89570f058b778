// Makes a queue that stays.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(msgget(IPC_PRIVATE, IPC_CREAT | 0600));
  return x + 1;
}
