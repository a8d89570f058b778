// Says that it is done, in a wrong way.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"done\":{\"sites\":\"x\"}}");
  return x + 1;
}
