// Says that it failed.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"error\":{\"status\":3,\"what\":\"does not compile\",\"hint\":\"\"}}");
  return x + 1;
}
