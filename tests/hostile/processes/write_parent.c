// Writes to the memory of its supervisor.
// outcome: none
#include "attack.h"

static char bytes[8];
static struct iovec own = {bytes, 8}, theirs = {bytes, 8};
double attack(double x) {
  REFUSED(process_vm_writev(getppid(), &own, 1, &theirs, 1, 0));
  return x + 1;
}
