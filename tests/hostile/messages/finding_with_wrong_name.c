// Sends a finding that is not named as its content asks.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"finding\":{\"id\":\"0123456789abcdef\",\"kind\":\"crash\",\"input\":{\"x\":{\"decimal\":\"1\",\"hex\":\"0x1p+"
      "0\"}},\"everyday\":true,\"oracle\":\"lifted\",\"strategy\":\"auto\",\"verdict\":\"avoidable\",\"detail\":\"made "
      "up\"}}");
  return x + 1;
}
