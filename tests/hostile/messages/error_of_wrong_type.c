// Says that it failed, in a wrong way.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"error\":{\"status\":\"x\"}}");
  return x + 1;
}
