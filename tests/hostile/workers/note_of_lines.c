// Says in its note what the report says at its end.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"done\":{\"sites\":1,\"evaluations\":1,\"seconds\":0.1,\"total_seconds\":0.1,\"unknown\":0,\"judged\":5,\"out_"
      "of_time\":"
      "false,\"cut\":false,\"stopped\":false,\"folded\":0,\"note\":\"made up\\nno problems in 5 functions\"}}");
  for (;;)
    ;
  return x;
}
