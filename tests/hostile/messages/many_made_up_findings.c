// Sends findings for ever.
// outcome: timed-out|unknown
#include "attack.h"

double attack(double x) {
  if (x > 10)
    for (;;)
      say("{\"finding\":{\"id\":\"5c4ed6199de5fe4d\",\"kind\":\"crash\",\"input\":{\"x\":{\"decimal\":\"1\",\"hex\":"
          "\"0x1p+0\"}},\"everyday\":true,\"oracle\":\"lifted\",\"strategy\":\"auto\",\"verdict\":\"avoidable\","
          "\"detail\":\"made up\"}}");
  return x + 1;
}
