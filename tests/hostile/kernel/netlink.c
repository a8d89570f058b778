// Asks the kernel for its network.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(socket(AF_NETLINK, SOCK_RAW, 0));
  return x + 1;
}
