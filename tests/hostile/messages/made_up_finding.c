// Sends a finding of its own making, whole and well named: a fresh worker does not confirm it.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"finding\":{\"id\":\"5c4ed6199de5fe4d\",\"kind\":\"crash\",\"input\":{\"x\":{\"decimal\":\"1\",\"hex\":\"0x1p+"
      "0\"}},\"everyday\":true,\"oracle\":\"lifted\",\"strategy\":\"auto\",\"verdict\":\"avoidable\",\"detail\":\"made "
      "up\"}}");
  return x + 1;
}
