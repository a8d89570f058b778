// Sends half of a finding.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"finding\":{\"id\":\"x\",\"kind\":\"overflow\"}}");
  return x + 1;
}
