// Tells of its end, as its supervisor would.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"end\":true}");
  return x + 1;
}
