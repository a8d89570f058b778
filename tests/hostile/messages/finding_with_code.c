// Sends a finding whose number is code, for the test that is made of it.
// outcome: unknown
#include "attack.h"

double attack(double x) {
  say("{\"finding\":{\"id\":\"0123456789abcdef\",\"kind\":\"crash\",\"input\":{\"x\":{\"decimal\":\"1\",\"hex\":\"0); "
      "abort(); "
      "(\"}},\"everyday\":true,\"oracle\":\"lifted\",\"strategy\":\"auto\",\"verdict\":\"avoidable\",\"detail\":\"made "
      "up\"}}");
  return x + 1;
}
