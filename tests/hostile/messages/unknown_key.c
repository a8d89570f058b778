// Sends what nobody knows.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"made\":1}");
  return x + 1;
}
