// Opens a local socket.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(socket(AF_UNIX, SOCK_STREAM, 0));
  return x + 1;
}
