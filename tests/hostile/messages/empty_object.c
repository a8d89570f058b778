// Sends an object with nothing in it.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{}");
  return x + 1;
}
