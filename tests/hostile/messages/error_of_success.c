// Says that it failed with success.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"error\":{\"status\":0,\"what\":\"all is well\",\"hint\":\"\"}}");
  return x + 1;
}
