// Sends a list.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("[]");
  return x + 1;
}
