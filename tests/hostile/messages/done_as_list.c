// Says that it is done, as a list.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"done\":[]}");
  return x + 1;
}
