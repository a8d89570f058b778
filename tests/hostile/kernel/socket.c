// Opens a connection.
// outcome: none
#include "attack.h"

double attack(double x) {
  REFUSED(socket(AF_INET, SOCK_STREAM, 0));
  return x + 1;
}
