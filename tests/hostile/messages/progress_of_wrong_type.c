// Tells of progress in a wrong way.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"progress\":1,\"reached\":\"x\"}");
  return x + 1;
}
