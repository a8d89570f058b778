// Says that it is done, and ends.
// outcome: found
#include "attack.h"

double attack(double x) {
  say("{\"done\":{\"sites\":1,\"evaluations\":5,\"seconds\":0.1,\"total_seconds\":0.1,\"unknown\":0,\"judged\":5,\"out_"
      "of_time\":"
      "false,\"cut\":false,\"stopped\":false,\"folded\":0,\"note\":\"\"}}");
  syscall(SYS_exit_group, 0);
  return x + 1;
}
