// Says that it is done, and goes on.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"done\":{\"sites\":1,\"evaluations\":5,\"seconds\":0.1,\"total_seconds\":0.1,\"unknown\":0,\"judged\":5,\"out_"
      "of_time\":"
      "false,\"cut\":false,\"stopped\":false,\"folded\":0,\"note\":\"\"}}");
  return x + 1;
}
