// Sends a message with an unknown key.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"made\":1}");
  return x + 1;
}
