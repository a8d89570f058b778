// Reads the memory of another process.
// outcome: none
#include "attack.h"

static char bytes[8];
static struct iovec own = {bytes, 8}, theirs = {bytes, 8};
double attack(double x) {
  REFUSED(process_vm_readv(VICTIM, &own, 1, &theirs, 1, 0));
  return x + 1;
}
