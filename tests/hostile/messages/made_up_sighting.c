// Sends a sighting of its own making, and dies.
// outcome: crashed|found
#include "attack.h"

double attack(double x) {
  say("{\"sighting\":{\"id\":\"\",\"kind\":\"inaccuracy\",\"input\":{\"x\":{\"decimal\":\"1\",\"hex\":\"0x1p+0\"}},"
      "\"output\":{\"name\":\"return\",\"computed\":{\"decimal\":\"1\",\"hex\":\"0x1p+0\"},\"reference\":{\"decimal\":"
      "\"2\",\"hex\":\"0x1p+1\"}},\"error\":{\"relative\":0.5,\"absolute\":1,\"ulps\":1e15,\"bits\":50},\"everyday\":"
      "true,\"oracle\":\"lifted\",\"strategy\":\"auto\",\"verdict\":\"avoidable\",\"detail\":\"made up\"}}");
  raise(SIGKILL);
  return x + 1;
}
