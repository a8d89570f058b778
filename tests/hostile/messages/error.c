// Says that it failed: a wrong line about itself, and no more than that.
// outcome: refused
#include "attack.h"

double attack(double x) {
  say("{\"error\":{\"status\":3,\"what\":\"does not compile\",\"hint\":\"\"}}");
  return x + 1;
}
