// The same by F_SETOWN_EX, for a thread.
// outcome: none
#include "attack.h"

double attack(double x) {
  struct f_owner_ex owner = {F_OWNER_TID, VICTIM};
  REFUSED(fcntl(3, F_SETOWN_EX, &owner));
  fcntl(3, F_SETSIG, SIGKILL);
  fcntl(3, F_SETFL, O_WRONLY | O_ASYNC);
  return x + 1;
}
