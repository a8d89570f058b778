// Listens to the network, which root may.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(socket(AF_PACKET, SOCK_RAW, 0));
  return x + 1;
}
