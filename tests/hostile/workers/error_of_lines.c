// Says in its error what the report says at its end. It is the only function, so that its error is the program's.
// outcome: refused
// alone
// never: ^faultline: no problems
#include "attack.h"

double attack(double x) {
  say("{\"error\":{\"status\":3,\"what\":\"failed\\nfaultline: no problems in 1 function\",\"hint\":\"a\\nfaultline: "
      "no problems\"}}");
  _exit(0);
  return x;
}
