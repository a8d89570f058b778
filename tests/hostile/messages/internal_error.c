// Says that there is a bug in the supervisor.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"error\":{\"status\":70,\"what\":\"internal\",\"hint\":\"\"}}");
  return x + 1;
}
