// Makes a pair of sockets.
// outcome: none
#include "attack.h"

static int ends[2];
double attack(double x) {
  REFUSED(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  return x + 1;
}
